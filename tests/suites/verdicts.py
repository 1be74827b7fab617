"""A plugin of pytest: writes each test with its verdict and what it failed by into the file that
VERDICTS names, one JSON object a line, and leaves those out that SKIP names, one a line."""

import json
import os

_verdicts = open(os.environ["VERDICTS"], "w", encoding="utf-8")
_parts = {}


def pytest_collection_modifyitems(config, items):
    """Leaves out the tests of these names; --deselect would those that begin with one, too."""
    names = set(os.environ.get("SKIP", "").splitlines())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in names])
    items[:] = [item for item in items if item.nodeid not in names]


def pytest_runtest_logreport(report):
    """A test has three parts; it is as good as the worst of them."""
    _parts.setdefault(report.nodeid, []).append(report)
    if report.when != "teardown":
        return
    parts = _parts.pop(report.nodeid)
    outcomes = [part.outcome for part in parts]
    verdict = next((one for one in ("failed", "skipped") if one in outcomes), "passed")
    detail = "\n".join(part.longreprtext for part in parts if part.outcome == "failed")
    json.dump({"test": report.nodeid, "verdict": verdict, "detail": detail}, _verdicts)
    _verdicts.write("\n")
    _verdicts.flush()
