/** Simulates the keep-alive connections of an in-process client. */
export interface ConnectionPool {
  /** Returns an idle connection or a new one. */
  readonly take: () => object;
  /** Returns a connection to the pool after a complete response. Lost connections are not returned. */
  readonly give: (connection: object) => void;
}

export function createConnectionPool(): ConnectionPool {
  const idle: object[] = [];
  return {
    take: () => idle.pop() ?? {},
    give: (connection) => idle.push(connection),
  };
}
