"""Client of the control plane of `tck stub`, for tests in Python 3.9 or newer. Copy this file into your tests.

It needs the standard library only, and the package content-workspace-tck of npm in node_modules. With pytest, write
into conftest.py:

    from tck_stub import sandbox, stub  # noqa: F401

With unittest, use StubTestCase. If TCK_CONTROL_URL and TCK_CONTROL_TOKEN are set, tests use that running stub.
"""

import json
import os
import subprocess
import unittest
import urllib.error
import urllib.request

try:
    import pytest
except ImportError:
    pytest = None

# npx does not pass signals on to the stub.
COMMAND = ("node_modules/.bin/tck", "stub", "--port", "0", "--control", "--json")

# A proxy in http_proxy does not reach the stub.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ControlError(AssertionError):
    """The stub refused a request, or no request of the client matched a fault. The message says why."""


class Stub:
    """A stub: one that runs already, or a process that ends with close()."""

    def __init__(self, url=None, token=None, command=COMMAND):
        self.url = url or os.environ.get("TCK_CONTROL_URL")
        self.token = token or os.environ.get("TCK_CONTROL_TOKEN")
        self.process = None
        if self.url is None:
            try:
                self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            except FileNotFoundError:
                hint = "Run npm install, and run the tests in the folder with node_modules."
                raise ControlError(f"There is no {command[0]} in {os.getcwd()}. {hint}") from None
            line = self.process.stdout.readline()
            if line == "":
                raise ControlError(f"The stub did not start: exit code {self.process.wait()}")
            control = json.loads(line)["control"]
            self.url, self.token = control["url"], control["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()

    def sandbox(self, **options):
        """Creates a sandbox, for example with seed=7, now="2027-03-08T09:00:00Z" or profile="flaky-gateway"."""
        return Sandbox(self, self.send("POST", "worlds", options))

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"x-control-token": self.token}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with OPENER.open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ControlError(f"{method} {path}: {error.code} {error.read().decode()}") from None
        except urllib.error.URLError as error:
            raise ControlError(f"The stub at {self.url} does not respond: {error.reason}") from None


class Sandbox:
    """Keys, data, clock, rate limits, faults and journal of one test. As a context manager, it verifies its faults."""

    def __init__(self, stub, access):
        self.stub, self.id = stub, access["world"]
        self.base_url, self.keys = access["baseUrl"], access["keys"]
        self.workspaces, self.shape = access["workspaces"], access["shape"]

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        try:
            if failed is None:
                self.verify_faults()
        finally:
            self.drop()

    def _send(self, method, path, body=None):
        return self.stub.send(method, f"worlds/{self.id}{path}", body)

    def now(self):
        return self.state()["now"]

    def advance(self, seconds):
        self._send("POST", "/clock", {"seconds": seconds})

    def set_time(self, time):
        self._send("POST", "/clock", {"time": time})

    def freeze(self, frozen=True):
        self._send("POST", "/clock", {"frozen": frozen})

    def add_faults(self, *faults):
        """Queues faults, such as {"tool": "schedule.read", "status": 503}."""
        return self._send("POST", "/faults", {"faults": list(faults)})["faults"]

    def faults(self):
        return self.state()["faults"]

    def clear_faults(self):
        self._send("DELETE", "/faults")

    def verify_faults(self):
        """Raises a ControlError if no request matched a fault."""
        self._send("POST", "/faults/verify")

    def switch(self, role, **switches):
        """Changes a key, for example key="revoked" or rateLimit=3."""
        return self._send("POST", "/switches", {"role": role, **switches})

    def approve(self, confirmation_id):
        self._send("POST", "/person", {"act": "approve", "subject": confirmation_id})

    def deny(self, confirmation_id):
        self._send("POST", "/person", {"act": "deny", "subject": confirmation_id})

    def pick(self, workspace):
        self._send("POST", "/person", {"act": "pick", "subject": workspace})

    def state(self):
        return self._send("GET", "/state")

    def journal(self, after=0):
        """Returns the events after an event number."""
        return self._send("GET", f"/journal?after={int(after)}")["events"]

    def requests(self, tool=None):
        """Returns the recorded exchanges, or those of one tool."""
        exchanges = [event for event in self.journal() if event["kind"] == "exchange"]
        return [exchange for exchange in exchanges if tool in (None, exchange["tool"])]

    def judgement(self):
        return self._send("GET", "/judgement")

    def reset(self):
        self._send("POST", "/reset")

    def drop(self):
        self._send("DELETE", "")


class StubTestCase(unittest.TestCase):
    """A test case with one stub for the class, and a sandbox for each test: self.sandbox."""

    sandbox_options = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stub = Stub()
        cls.addClassCleanup(cls.stub.close)

    def setUp(self):
        super().setUp()
        self.sandbox = self.stub.sandbox(**self.sandbox_options)
        self.addCleanup(self.sandbox.drop)
        self.addCleanup(self.sandbox.verify_faults)


if pytest is not None:

    @pytest.fixture(scope="session")
    def stub():
        """One stub for all tests."""
        with Stub() as running:
            yield running

    @pytest.fixture
    def sandbox(stub):
        """A sandbox for each test. A test fails if no request matched one of its faults."""
        with stub.sandbox() as created:
            yield created
