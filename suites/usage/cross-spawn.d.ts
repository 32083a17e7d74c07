/** Starts a program as Node's own function does, and on Windows what needs a shell there as well. */
declare module 'cross-spawn' {
  import { spawn } from 'node:child_process';
  export default spawn;
}
