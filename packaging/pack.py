#!/usr/bin/env python3
"""Makes npm packages and Python wheels that bring the program of a release.

usage: packaging/pack.py VERSION BINARIES OUT

BINARIES is the folder dist of goreleaser, or one like it: it holds a folder for each
system, with OS_ARCH as Go says it in its name (linux_amd64, git-tdd_darwin_arm64_v8.0),
and in that git-tdd, or git-tdd.exe. A system that is missing there gets no package.
The same input gives the same bytes.

npm: git-tdd, a launcher, depends on git-tdd-OS-ARCH as an option; npm installs the
one that fits the machine. PyPI: one wheel for each system, of which pip takes the
one that fits.
"""

import base64
import gzip
import hashlib
import io
import json
import pathlib
import re
import sys
import tarfile
import zipfile

SUMMARY = "Test-driven development that is measured: hooks, agents and evidence for git"
HOME = "https://github.com/git-tdd/git-tdd"
ROOT = pathlib.Path(__file__).resolve().parent.parent

# Go's system: npm's os and cpu, the platform tags of a wheel. The program is linked
# statically, so any Linux will do.
SYSTEMS = {
    "linux_amd64": ("linux", "x64", "manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "linux_arm64": ("linux", "arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "darwin_amd64": ("darwin", "x64", "macosx_11_0_x86_64"),
    "darwin_arm64": ("darwin", "arm64", "macosx_11_0_arm64"),
    "windows_amd64": ("win32", "x64", "win_amd64"),
    "windows_arm64": ("win32", "arm64", "win_arm64"),
}

LAUNCHER = """#!/usr/bin/env node
// Starts the program of the package that fits this machine.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `git-tdd-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "git-tdd.exe" : "git-tdd";
let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`git-tdd: the package ${name} is not installed. ` +
    "Install without --omit=optional; other systems build from source, see HOME.");
  process.exit(3);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends its interrupt to both, and the program decides how it ends.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`git-tdd: ${error.message}`);
  process.exit(3);
});
child.on("close", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
""".replace("HOME", HOME)


def manifest(name, version, **more):
    """The text of a package.json."""
    about = {"name": name, "version": version, "description": SUMMARY, "license": "MIT",
             "repository": {"type": "git", "url": f"git+{HOME}.git"}}
    return json.dumps(about | more, indent=2).encode() + b"\n"


def tarball(path, files):
    """Writes an npm package. files maps names to (content, mode)."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(content), mode
            tar.addfile(entry, io.BytesIO(content))
    with open(path, "wb") as out, gzip.GzipFile("", "wb", fileobj=out, mtime=0) as packed:
        packed.write(plain.getvalue())


def npm(version, programs, out):
    licence = (ROOT / "LICENSE").read_bytes()
    for system, (file, content) in programs.items():
        os, cpu, _ = SYSTEMS[system]
        name = f"git-tdd-{os}-{cpu}"
        tarball(out / f"{name}-{version}.tgz", {
            "package.json": (manifest(name, version, os=[os], cpu=[cpu], preferUnplugged=True), 0o644),
            f"bin/{file}": (content, 0o755),
            "LICENSE": (licence, 0o644),
        })
    wanted = {f"git-tdd-{os}-{cpu}": version for os, cpu, _ in (SYSTEMS[s] for s in programs)}
    tarball(out / f"git-tdd-{version}.tgz", {
        "package.json": (manifest("git-tdd", version, bin={"git-tdd": "bin/git-tdd.js"},
                                  engines={"node": ">=18"}, optionalDependencies=wanted), 0o644),
        "bin/git-tdd.js": (LAUNCHER.encode(), 0o755),
        "README.md": ((ROOT / "README.md").read_bytes(), 0o644),
        "LICENSE": (licence, 0o644),
    })


def python_version(version):
    """SemVer to PEP 440: 1.2.3-rc.1 is 1.2.3rc1."""
    return re.sub(r"-(?:alpha|beta|rc)\.?(\d+)$",
                  lambda m: {"a": "a", "b": "b", "r": "rc"}[m[0][1]] + m[1], version)


def wheel(version, system, file, content, out):
    version = python_version(version)
    tag = f"py3-none-{SYSTEMS[system][2]}"
    info = f"git_tdd-{version}.dist-info"
    tags = "".join(f"Tag: py3-none-{p}\n" for p in SYSTEMS[system][2].split("."))
    files = {
        f"git_tdd-{version}.data/scripts/{file}": content,
        f"{info}/METADATA": (f"Metadata-Version: 2.1\nName: git-tdd\nVersion: {version}\nSummary: {SUMMARY}\n"
                             f"License: MIT\nProject-URL: Homepage, {HOME}\nRequires-Python: >=3.8\n"
                             "Description-Content-Type: text/markdown\n\n").encode() + (ROOT / "README.md").read_bytes(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: git-tdd\nRoot-Is-Purelib: false\n{tags}".encode(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(out / f"git_tdd-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)  # its time is that of the first of January 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, text)


def main(argv):
    if len(argv) != 4 or not re.fullmatch(r"\d+\.\d+\.\d+(-(alpha|beta|rc)\.?\d+)?", argv[1]):
        sys.exit(__doc__ + "\npack.py: a version is 1.2.3, or 1.2.3-rc.1 (alpha, beta, rc)")
    version, binaries, out = argv[1], pathlib.Path(argv[2]), pathlib.Path(argv[3])
    programs = {}
    for system in SYSTEMS:
        file = "git-tdd.exe" if system.startswith("windows") else "git-tdd"
        for path in sorted(binaries.glob(f"*{system}*/{file}"))[:1]:
            programs[system] = file, path.read_bytes()
    if not programs:
        sys.exit(f"pack.py: {binaries} holds no program, as in linux_amd64/git-tdd")
    out.mkdir(parents=True, exist_ok=True)
    npm(version, programs, out)
    for system, (file, content) in programs.items():
        wheel(version, system, file, content, out)
    print("\n".join(sorted(p.name for p in out.iterdir())))


if __name__ == "__main__":
    main(sys.argv)
