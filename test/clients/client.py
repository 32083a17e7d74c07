"""A conforming client, or a client with the one mistake that its argument names."""

import concurrent.futures
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else ""
# Conforming habits can be combined.
HABITS = MISTAKE.split(" + ")
BASE, KEY, CONTROL = (os.environ[name] for name in ("TCK_BASE_URL", "TCK_KEY_PRIMARY", "TCK_CONTROL_URL"))
workspace = os.environ.get("TCK_WORKSPACE")


class Refused(Exception):
    def __init__(self, body):
        issues = [f"; {issue['path']}: {issue['message']}" for issue in body.get("issues", [])]
        super().__init__(f"{body.get('code')}: {body.get('message')}{''.join(issues)}")
        self.code = body.get("code")


def send(url, body, headers):
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    # Other requests have more time, since one that is slow on a busy machine would be repeated too.
    is_hasty = MISTAKE == "repeats a content request after its own timeout" and url.endswith("content.create_request")
    timeout = 1.5 if is_hasty else 10
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return json.load(response)


def person(act, subject):
    """Returns the answer of the simulated person. A real client would prompt its user."""
    if os.environ.get("TCK_PERSON"):
        return sys.stdin.readline().strip()
    token = {"x-control-token": os.environ["TCK_CONTROL_TOKEN"]}
    send(CONTROL + "worlds/main/person", {"act": act, "subject": subject}, token)
    return {"approve": "y", "pick": subject}[act]


def choose(workspaces):
    if MISTAKE == "selects the first workspace":
        time.sleep(1.2)
        return workspaces[0]
    if MISTAKE == "selects a hard-coded workspace":
        return "north"
    print("choose a workspace:", ", ".join(workspaces))
    named = person("pick", sorted(workspaces)[1])
    if MISTAKE == "uses a workspace that the person did not select":
        return next(each for each in workspaces if each != named)
    return named


def call(tool, args, attempt=1):
    global workspace
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    body = args if tool == "credits.balance" or not workspace else {**args, "workspace": workspace}
    try:
        result = send(f"{BASE}/api/v1/tools/{tool}", body, headers)
    except urllib.error.HTTPError as error:
        if MISTAKE == "ignores the status":
            return json.load(error)
        if error.code == 429 and attempt < 5:
            time.sleep(0.1 if MISTAKE == "retries after 0.1 seconds" else int(error.headers["Retry-After"]) + 0.05)
            return call(tool, args, attempt + 1)
        is_reading = tool not in ("content.create_request", "images.generate")
        repeats = is_reading or MISTAKE == "repeats every request after a 5xx"
        if error.code >= 500 and repeats and attempt < 3:
            time.sleep(0.3)
            return call(tool, args, attempt + 1)
        raise OSError(f"{tool}: HTTP {error.code} {error.read().decode()}") from error
    except TimeoutError:
        if MISTAKE != "repeats a content request after its own timeout" or attempt == 3:
            raise
        return call(tool, args, attempt + 1)
    if result["ok"] or MISTAKE == "ignores the field ok":
        return result
    if result["code"] == "workspace_ambiguous" and attempt < 5:
        workspace = choose(result["workspaces"])
        if not workspace:
            raise Refused({"code": "no choice", "message": "The person chose no workspace."})
        return call(tool, args, attempt + 1)
    raise Refused(result)


def generate(request, attempt=1):
    proposal = call("images.generate", request)
    given = proposal["confirmation_id"]
    print(proposal["request_summary"])
    skips_person = attempt > 1 and MISTAKE == "spends again without asking the person again"
    # The simulated person answers on the control plane in the meantime.
    time.sleep(1.2 if skips_person else 0)
    answer = "y" if skips_person else person("approve", given)
    if answer != "y" and MISTAKE != "confirms a denied proposal":
        raise Refused({"code": "denied", "message": "The person said no."})
    if MISTAKE == "confirms the same ID in two threads":
        # A busy machine may start the second thread late.
        together = threading.Barrier(2)

        def confirm_together():
            together.wait()
            return call("images.generate", {**request, "confirmation_id": given})

        with concurrent.futures.ThreadPoolExecutor() as pool:
            both = [pool.submit(confirm_together) for _ in range(2)]
        return next(done.result() for done in both if done.exception() is None)
    try:
        return confirm({**request, "confirmation_id": given})
    except Refused as refused:
        if refused.code != "confirmation_invalid" or attempt == 3:
            raise
        return generate(request, attempt + 1)


def confirm(request):
    repeats = (
        "repeats a confirmation after a lost response" in HABITS
        or MISTAKE == "spends again without asking the person again"
    )
    try:
        return call("images.generate", request)
    except (OSError, http.client.HTTPException) as problem:
        if not repeats or "HTTP" in str(problem):
            raise
        print("no response to the confirmation:", problem)
        # An ID works only once, so repeating it is safe.
        return call("images.generate", request)


def unusual():
    """Runs an unusual habit that is conforming."""
    if "polls the content status" in HABITS:
        for _ in range(12):
            call("content.status", {})
            time.sleep(0.1)
    if "reads the balance repeatedly" in HABITS:
        for _ in range(3):
            try:
                print("balance", call("credits.balance", {})["balance"])
            except Refused:
                print("balance unknown")
    if "creates the same content request three times" in HABITS:
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 3 * 86400))
        for _ in range(3):
            try:
                call("content.create_request", {"format": "stories", "day": day})
            except Refused as problem:
                print("not planned:", problem)
    if "reads in parallel threads" in HABITS:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            tools = random.sample(["schedule.read", "content.status", "connections.status"] * 2, 6)
            for done in [pool.submit(call, tool, {}) for tool in tools]:
                done.result()
    if "terminates its worker with a signal" in HABITS:
        worker = subprocess.Popen(["sleep", "60"])
        worker.terminate()
        worker.wait()


def main():
    if MISTAKE == "prints its key":
        print("Authorization:", KEY)
    try:
        unusual()
    except Refused as problem:
        print("not important:", problem)
    call("credits.balance", {})
    found = call("library.search", {"query": ""}).get("items", [{}])
    for item in found[:1]:
        call("library.get", {"kind": item.get("kind"), "id": item.get("id")})
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 2 * 86400))
    piece = call("content.create_request", {"format": "posts", "day": day})
    print("created piece", piece.get("piece_id"), "in", piece.get("workspace"))
    if MISTAKE in ("ignores the field ok", "ignores the status"):
        return
    run = generate({"board": os.environ["TCK_BOARD"], "brief": "a cup", "count": 1, "shape": os.environ["TCK_SHAPE"]})
    print("run", run["run_id"], "in", run["workspace"])


if MISTAKE == "crashes after a refusal":
    main()
else:
    try:
        main()
    except (Refused, OSError, ValueError, http.client.HTTPException) as problem:
        print("failed:", problem)
        sys.exit(0 if MISTAKE == "exits with 0 after a failure" else 1)
