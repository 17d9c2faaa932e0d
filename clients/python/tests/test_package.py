from __future__ import annotations

import importlib.metadata
import importlib.resources
import inspect
import unittest
from collections.abc import Callable

import somnograph
from somnograph import AsyncMemory, AsyncSession, Memory, Session


class PackageTest(unittest.TestCase):
    def test_the_wheel_says_that_it_is_typed(self) -> None:
        self.assertTrue(importlib.resources.files("somnograph").joinpath("py.typed").is_file())
        self.assertEqual(importlib.metadata.version("somnograph"), somnograph.__version__)
        self.assertIsNone(importlib.metadata.requires("somnograph"))

    def test_both_clients_have_the_same_methods_with_the_same_arguments(self) -> None:
        for synchronous, asynchronous in ((Memory, AsyncMemory), (Session, AsyncSession)):
            want = {name.replace("aclose", "close"): method for name, method in _methods(asynchronous).items()}
            have = _methods(synchronous)
            self.assertEqual(sorted(have), sorted(want))
            for name, method in have.items():
                self.assertEqual(list(inspect.signature(method).parameters), list(inspect.signature(want[name]).parameters), name)
        for name in ("add", "remember", "search", "context", "facts", "adjudicate", "sleep", "forget", "ingest", "documents", "get_by_external_id", "events"):
            self.assertIn(name, _methods(Memory))


def _methods(of: type) -> dict[str, Callable[..., object]]:
    return {name: method for name, method in inspect.getmembers(of, inspect.isfunction) if not name.startswith("_")}


if __name__ == "__main__":
    unittest.main()
