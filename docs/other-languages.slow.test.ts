import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWithKit, recipe } from '../test/docs/recipes.ts';
import { tck } from '../test/tck.ts';

let folder = '';

beforeAll(async () => {
  folder = await folderWithKit();
  for (const path of ['python/tck_stub.py', 'java/TckStub.java'])
    await copyFile(new URL(`examples/${path}`, import.meta.url), join(folder, basename(path)));
});

afterAll(() => rm(folder, { recursive: true }));

function run(program: string, ...args: string[]) {
  const { TCK_CONTROL_URL: _url, TCK_CONTROL_TOKEN: _token, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const pytest = ['python3', '/usr/bin/python3'].find((program) => works(program, '-m', 'pytest', '--version'));
const pytestArgs = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

test.skipIf(pytest === undefined)('pytest (needs pytest)', async () => {
  for (const name of ['conftest.py', 'test_client.py']) await writeFile(join(folder, name), recipe(name));
  const { status, output } = run(pytest ?? '', ...pytestArgs, 'test_client.py');
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('3 passed') });
  const unmet = 'def test_nothing(sandbox):\n    sandbox.add_faults({"status": 500})\n';
  await writeFile(join(folder, 'test_unmet.py'), unmet);
  expect(run(pytest ?? '', ...pytestArgs, 'test_unmet.py').output).toContain('1 error');
  // Without node_modules, the tests can only use the stub of their environment.
  const beside = join(folder, 'tests');
  await mkdir(beside);
  for (const name of ['tck_stub.py', 'conftest.py', 'test_client.py']) {
    await copyFile(join(folder, name), join(beside, name));
  }
  const command = ['stub', '--control', '--', pytest ?? '', ...pytestArgs, 'test_client.py'];
  const inside = await tck(command, { cwd: beside });
  expect(inside, inside.stdout).toMatchObject({ code: 0 });
});

test.skipIf(!works('python3', '--version'))('a stub that is missing, and a proxy (needs Python)', () => {
  const inFolder = (act: string) => `import os, sys; sys.path.insert(0, os.getcwd()); import tck_stub; ${act}`;
  const missing = run('python3', '-c', inFolder('os.chdir("/"); tck_stub.Stub()'));
  expect(missing.output).toContain('ControlError: There is no node_modules/.bin/tck in /. Run npm install');
  const proxy = 'os.environ["http_proxy"] = "http://127.0.0.1:9"';
  // No server listens at this port.
  const silent = run('python3', '-c', inFolder(`tck_stub.Stub("http://127.0.0.1:1/", "token").sandbox()`));
  expect(silent.output).toContain('ControlError: The stub at http://127.0.0.1:1/ does not respond');
  const proxied = `${proxy}; import tck_stub; stub = tck_stub.Stub(); print(stub.sandbox().base_url); stub.close()`;
  expect(run('python3', '-c', `import os; ${proxied}`).output).toContain('http://127.0.0.1:');
});

test.skipIf(!works('python3', '--version'))('unittest, without packages (needs Python)', async () => {
  await writeFile(join(folder, 'test_with_unittest.py'), recipe('test_with_unittest.py'));
  await writeFile(
    join(folder, 'test_everything.py'),
    `import unittest

import tck_stub


class Everything(tck_stub.StubTestCase):
    def test_methods(self):
        world = self.sandbox
        world.freeze()
        world.freeze(False)
        world.switch("primary", rateLimit=3)
        world.pick(world.workspaces[0]["slug"])
        world.add_faults({"status": 503})
        with self.assertRaisesRegex(tck_stub.ControlError, "No request met the fault"):
            world.verify_faults()
        world.clear_faults()
        self.assertEqual(world.faults()["unmet"], [])
        for speak in (world.approve, world.deny):
            self.assertRaises(tck_stub.ControlError, speak, "unknown")
        self.assertEqual(world.state()["charged"], 0)
        world.reset()
        self.assertEqual(world.journal(), [])
`,
  );
  // -S leaves out all installed packages, so there is no pytest.
  for (const module of ['test_with_unittest', 'test_everything']) {
    const { status, output } = run('python3', '-S', '-W', 'error', '-m', 'unittest', module);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('OK') });
  }
});

const jars = '/usr/share/java';
const classpath = ['junit-jupiter', 'junit-jupiter-api', 'junit-jupiter-engine', 'junit-platform-commons']
  .concat('junit-platform-engine', 'junit-platform-launcher', 'junit-platform-console', 'junit-platform-reporting')
  .concat('apiguardian-api', 'opentest4j', 'picocli', 'opentest4j-reporting-events', 'opentest4j-reporting-schema')
  .map((name) => `${jars}/${name}.jar`)
  .join(':');
const junit = works('javac', '--version') && works('test', '-e', `${jars}/junit-platform-console.jar`);

test.skipIf(!junit)('JUnit (needs javac and the Debian package junit5)', { timeout: 180_000 }, async () => {
  const unmet = `
@org.junit.jupiter.api.extension.ExtendWith(TckStub.Extension.class)
class UnmetTest {
  @org.junit.jupiter.api.Test
  void addsAFault(TckStub.Sandbox sandbox) {
    sandbox.addFault(java.util.Map.of("status", 500, "body", "\\u00e9\\"\\\\\\n"));
  }
}`;
  await writeFile(join(folder, 'ClientTest.java'), recipe('ClientTest.java'));
  await writeFile(join(folder, 'UnmetTest.java'), unmet);
  const sources = ['TckStub.java', 'ClientTest.java', 'UnmetTest.java'];
  const options = ['--release', '17', '-encoding', 'UTF-8', '-d', 'classes'];
  expect(run('javac', ...options, '-cp', classpath, ...sources)).toMatchObject({ status: 0 });
  const launcher = ['-cp', `classes:${classpath}`, 'org.junit.platform.console.ConsoleLauncher'];
  const passed = run('java', ...launcher, '--select-class', 'ClientTest');
  expect(passed, passed.output).toMatchObject({ status: 0, output: expect.stringContaining('3 tests successful') });
  const failed = run('java', ...launcher, '--select-class', 'UnmetTest');
  const unmetFault = expect.stringContaining('No request met the fault 1');
  expect(failed, failed.output).toMatchObject({ status: 1, output: unmetFault });
});
