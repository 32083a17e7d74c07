/** Starts a program like Node's own `spawn`. On Windows, it also starts programs that need a shell. */
declare module 'cross-spawn' {
  import { spawn } from 'node:child_process';
  export default spawn;
}
