/** Assigns numbers to connections. Connections are identified by object and held weakly. */
export interface Connections {
  readonly numberOf: (connection: object) => number;
}

export function createConnections(): Connections {
  const numbers = new WeakMap<object, number>();
  let given = 0;
  return {
    numberOf(connection) {
      const known = numbers.get(connection);
      if (known !== undefined) return known;
      given += 1;
      numbers.set(connection, given);
      return given;
    },
  };
}
