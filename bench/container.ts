import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { spread, type Table } from './table.ts';

/** Image of the Dockerfile, and the image that it was built from. */
const image = process.env.TCK_TEST_IMAGE ?? '';
const base = process.env.TCK_BASE_IMAGE ?? '';

const starts = 9;
const port = 4877;

/** A server without any code of the kit. Its start is the part that the kit cannot change. */
const bare = "require('node:http').createServer((_, res) => res.end()).listen(4010, () => console.log('listening'))";

/**
 * Start-up time and size of the container image. Requires a container engine, `TCK_TEST_IMAGE` and `TCK_BASE_IMAGE`.
 */
export async function containerFigures(): Promise<Table[]> {
  if (image === '' || base === '') throw new Error('TCK_TEST_IMAGE and TCK_BASE_IMAGE must name images');
  const times = { stub: [] as number[], bare: [] as number[] };
  for (let round = 0; round < starts; round++) {
    times.bare.push(await msToAnswer([base, 'node', '-e', bare]));
    times.stub.push(await msToAnswer([image]));
  }
  return [
    {
      title: 'The container image',
      about:
        'This table shows the time from `docker run` to the first response. The stub in the image of the kit, and a ' +
        `bare server in the base image, start alternately, ${starts} times each. The bare server shows the time ` +
        'that the container engine and Node.js need. Targets: less than 300 ms for the stub, and less than 60 MB of ' +
        'compressed layers beyond the base image.',
      header: ['Server', 'ms', 'Compressed size beyond the base image'],
      rows: [
        ['Stub', spread(times.stub), `${(compressedBytes() / 1e6).toFixed(1)} MB`],
        ['Bare server', spread(times.bare), '–'],
      ],
    },
  ];
}

/** Starts a container and returns the time to its first response. The first line of its output announces the server. */
async function msToAnswer(args: readonly string[]): Promise<number> {
  const name = `tck-bench-${process.pid}`;
  const startedAt = performance.now();
  const run = ['run', '--rm', '--name', name, '--publish', `127.0.0.1:${port}:4010`, ...args];
  const child = spawn('docker', run, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    // A connection before the server listens can stall for a second, so the output comes first.
    await Promise.race([once(child.stdout, 'data'), failedStart(child)]);
    child.stdout.resume();
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await response.arrayBuffer();
    return performance.now() - startedAt;
  } finally {
    spawnSync('docker', ['kill', name]);
    await exited;
  }
}

async function failedStart(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`docker run exited with ${code}`);
}

/** Returns the compressed size of the layers that the image adds to its base. */
function compressedBytes(): number {
  const inBase = new Set(layersOf(base).map(({ id }) => id));
  return layersOf(image)
    .filter(({ id }) => !inBase.has(id))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns the layers of an image by digest, with their sizes as a registry stores them. */
function layersOf(name: string): { id: string; bytes: number }[] {
  const folder = mkdtempSync(join(tmpdir(), 'tck-bench-'));
  try {
    execFileSync('sh', ['-c', 'docker save "$0" | tar -x -C "$1"', name, folder]);
    const [manifest] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const { rootfs } = JSON.parse(readFileSync(join(folder, manifest.Config), 'utf8'));
    const files: string[] = manifest.Layers;
    return files.map((file, index) => {
      const { length } = gzipSync(readFileSync(join(folder, file)));
      return { id: rootfs.diff_ids[index], bytes: length };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
