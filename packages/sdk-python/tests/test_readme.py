"""The samples of the README, run in their order as one program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import ORIGIN, Tenant, control


def test_the_samples_of_the_readme_run_and_pass_as_one_program(tenant: Tenant, tmp_path: Path) -> None:
    control("application", workspace=tenant.workspace, email="readme@example.org")
    tenant.publish(3)
    text = Path(__file__).parent.with_name("README.md").read_text(encoding="utf-8")
    samples = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    program = tmp_path / "readme.py"
    program.write_text("\n".join([*samples, "client.close()"]), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        cwd=tmp_path,
        env={**os.environ, "BASE_URL": ORIGIN, "API_KEY": tenant.api_key},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    lines = run.stdout.splitlines()
    assert lines[:2] == ["credential", "Engineer published"]
    assert "not_found 404 req_" in run.stdout
    assert any(line.endswith("evt_1 job.updated") for line in lines)
    assert sum("job.updated job_" in line for line in lines) == 3, "the follower of the feed prints its events"
    assert any(re.fullmatch(r"app_\w+", line) for line in lines) and "True" in lines
