from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from server import Server
from somnograph import Memory, PartialError, SomnographError


class MemoryTest(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def memory(self, user: str, **options: object) -> Memory:
        memory = Memory(self.server.url, user=user, consent="EXPLICIT", **options)  # type: ignore[arg-type]
        self.addCleanup(memory.close)
        return memory

    def test_what_is_added_is_found_in_contexts_searches_and_facts(self) -> None:
        memory = self.memory("ana")
        (added,) = memory.add("I moved from Oslo to Bergen in May.")
        self.assertEqual((added.user, added.consent, added.source_kind), ("ana", "EXPLICIT", "USER"))
        self.assertIn("Bergen", memory.context("Where do I live?").text)
        hits = memory.search("Where do I live?").hits
        self.assertEqual(hits[0].memory.id, added.id)
        self.assertEqual(hits[0].label, "CURRENT")
        (fact,) = memory.facts("user", predicate="lives in")
        self.assertEqual((fact.object, fact.memory.id, fact.current), ("Bergen", added.id, True))
        self.assertEqual(self.memory("bo").search("Where do I live?").hits, [])

    def test_messages_without_a_session_are_remembered_by_their_speakers(self) -> None:
        memory = self.memory("cleo")
        added = memory.add(
            [
                {"role": "system", "content": "You are helpful."},
                {"role": "user", "content": "I play the cello."},
                {"role": "assistant", "content": [{"type": "text", "text": "The cello has four strings."}]},
            ]
        )
        self.assertEqual([(m.source_kind, m.content) for m in added], [("USER", "I play the cello."), ("ASSISTANT", "The cello has four strings.")])

    def test_a_session_is_closed_at_the_end_of_its_block(self) -> None:
        memory = self.memory("dan")
        with memory.session("talk") as session:
            turns = session.add([{"role": "user", "content": "My boat is called Heron."}, {"role": "assistant", "content": "A fine name."}])
            self.assertEqual([turn.tier for turn in turns], ["L0", "L0"])
            self.assertIn("Heron", session.context("What is my boat called?").text)
            self.assertEqual(session.search("What is my boat called?").hits[0].memory.session, "talk")
        assert session.report is not None
        self.assertEqual({turn.id for turn in session.report.flushed}, {turn.id for turn in turns})

    def test_a_session_without_turns_is_closed_without_a_report(self) -> None:
        with self.memory("dan").session("silent") as session:
            pass
        self.assertIsNone(session.report)

    def test_the_error_of_a_block_is_not_hidden_by_closing_its_session(self) -> None:
        memory = Memory("http://127.0.0.1:1", user="dan", consent="EXPLICIT", timeout=0.2)
        with self.assertRaises(KeyError), memory.session("talk"):
            raise KeyError

    def test_a_correction_is_a_version_and_the_past_can_be_asked(self) -> None:
        memory = self.memory("eva")
        first = memory.remember("The ferry leaves at 07:00.", subject="ferry").memory
        assert first is not None
        then = first.recorded_at + timedelta(milliseconds=1)
        corrected = memory.supersede(first.id, "The ferry leaves at 07:10.", reason="winter timetable")
        self.assertEqual((corrected.memory.version, corrected.previous.status), (2, "SUPERSEDED"))
        self.assertEqual(memory.get(first.id).status, "SUPERSEDED")
        hits = memory.search("When does the ferry leave?", as_of={"recorded": then}).hits
        self.assertEqual([hit.memory.content for hit in hits], ["The ferry leaves at 07:00."])

    def test_evidence_decides(self) -> None:
        memory = self.memory("finn")
        memory.remember("The winch is kept in the shed.", subject="winch")
        weak = memory.adjudicate("The winch is kept in the hangar.", "winch", [{"source": "tomas", "weight": 0.5, "confidence": 0.5}])
        self.assertEqual((weak.decision, weak.reason), ("REJECTED", "QUORUM_UNMET"))
        strong = memory.adjudicate("The winch is kept in the hangar.", "winch", [{"source": "tomas", "weight": 1.0, "confidence": 1.0}])
        self.assertEqual((strong.decision, strong.current.content), ("REPLACED", "The winch is kept in the hangar."))

    def test_sleep_reports_and_forget_leaves_nothing(self) -> None:
        memory = self.memory("gus")
        added = memory.add("My locker is number 312.")
        self.assertTrue(memory.sleep(deep=False).complete)
        self.assertEqual(memory.forget(user="gus", dry_run=True).count, 1)
        receipt = memory.forget(user="gus")
        self.assertEqual((receipt.status, receipt.ids), ("COMPLETE", [added[0].id]))
        self.assertIsNone(memory.get(added[0].id).content)
        self.assertEqual(memory.search("locker").hits, [])

    def test_forget_does_not_take_the_user_of_the_client(self) -> None:
        memory = self.memory("hal")
        kept, gone = memory.add([{"role": "user", "content": "My bike is red."}, {"role": "user", "content": "My car is blue."}])
        memory.forget([gone.id])
        self.assertEqual(memory.get(kept.id).content, "My bike is red.")

    def test_all_memories_are_listed_page_by_page(self) -> None:
        memory = self.memory("ida", namespace="pages")
        results = memory.remember_many([{"content": f"Shelf {n} holds box {n * 7}.", "on_duplicate": "INSERT"} for n in range(25)])
        listed = list(memory.all_memories({"namespaces": ["pages"]}, page=10))
        self.assertEqual([m.id for m in listed], [r.memory.id for r in results if r.memory])
        self.assertEqual({m.user for m in listed}, {"ida"})

    def test_a_batch_is_written_in_part_and_says_so(self) -> None:
        memory = self.memory("jo")
        with self.assertRaises(PartialError) as caught:
            memory.add([{"role": "user", "content": "My tent is green."}, {"role": "user", "content": "x" * 40_000}])
        self.assertEqual((list(caught.exception.written), list(caught.exception.errors)), ([0], [1]))
        self.assertEqual(caught.exception.field, "content")

    def test_times_have_a_zone(self) -> None:
        memory = self.memory("kim")
        at = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))
        stored = memory.remember("I ran a marathon.", occurred_at=at).memory
        assert stored is not None
        self.assertEqual(stored.occurred_at, at)
        with self.assertRaisesRegex(ValueError, "time zone"):
            memory.remember("I ran a marathon.", occurred_at=datetime(2026, 3, 1))

    def test_any_operation_of_graphql(self) -> None:
        memory = self.memory("lea")
        self.assertEqual(memory.graphql("query($n: Int) { sleepReports(first: $n) { nodes { id } } whoami { tenant } }", {"n": 1})["whoami"]["tenant"], "default")

    def test_an_unknown_name_in_an_input_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "'contents' is not one of content, consent"):
            self.memory("max").remember_many([{"contents": "x"}])  # type: ignore[typeddict-item]

    def test_an_argument_at_fault_is_named(self) -> None:
        with self.assertRaises(SomnographError) as caught:
            self.memory("max").search("x", top_k=100_000)
        self.assertEqual((caught.exception.code, caught.exception.field), ("INVALID_REQUEST", "topK"))


if __name__ == "__main__":
    unittest.main()
