/** Stands for the connections of a client within this process, as a pool over HTTP would have them. */
export interface ConnectionPool {
  /** A connection that is idle, or a new one. */
  readonly take: () => object;
  /** To be called when the client has the whole response. One that was lost is not given back. */
  readonly give: (connection: object) => void;
}

export function createConnectionPool(): ConnectionPool {
  const idle: object[] = [];
  return {
    take: () => idle.pop() ?? {},
    give: (connection) => idle.push(connection),
  };
}
