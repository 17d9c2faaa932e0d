from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from server import Server
from somnograph import Memory, Message, SomnographError


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
        (added,) = memory.add("I moved from Oslo to Bergen in May.").memories
        self.assertIn(("ana", "lives in", "Bergen"), [(c.subject, c.predicate, c.object) for c in added.claims])
        self.assertEqual((added.user, added.consent, added.source_kind), ("ana", "EXPLICIT", "USER"))
        self.assertIn("Bergen", memory.context("Where do I live?").text)
        hits = memory.search("Where do I live?").hits
        self.assertEqual(hits[0].memory.id, added.id)
        self.assertEqual(hits[0].label, "CURRENT")
        (fact,) = memory.facts("user", predicate="lives in")
        self.assertEqual((fact.object, fact.memory.id, fact.current), ("Bergen", added.id, True))
        self.assertEqual(self.memory("bo").search("Where do I live?").hits, [])

    def test_messages_without_a_session_are_a_conversation_that_is_closed_at_once(self) -> None:
        memory = self.memory("cleo")
        added = memory.add(
            [
                {"role": "system", "content": "You are helpful."},
                {"role": "user", "content": "I play the cello."},
                {"role": "assistant", "content": [{"type": "text", "text": "The cello has four strings."}, {"type": "reasoning", "text": "Hm."}]},
                {"role": "assistant", "content": None},
            ]
        )
        self.assertEqual([(m.source_kind, m.content) for m in added.memories], [("USER", "I play the cello."), ("ASSISTANT", "The cello has four strings.")])
        self.assertEqual({(m.session, m.tier) for m in added.memories}, {(added.session, "L1")})
        self.assertEqual([m.id for m in memory.all_memories({"user": "cleo"})], [m.id for m in added.memories])
        self.assertEqual(memory.add([{"role": "system", "content": "You are helpful."}]).memories, [])

    def test_what_is_added_twice_under_one_key_is_kept_once(self) -> None:
        memory = self.memory("cyd")
        once, twice = (memory.add("My bike is red.", idempotency_key="bike") for _ in range(2))
        self.assertEqual((once.replayed, twice.replayed), (False, True))
        self.assertEqual([m.id for m in once.memories], [m.id for m in twice.memories])
        self.assertEqual([m.status for m in memory.add("My bike is red.").memories], ["CONSOLIDATED"], "another key: it repeats a memory")
        turn: Message = {"role": "user", "content": "I sail a Folkboat.", "id": "m1", "occurred_at": "2026-01-05T10:00:00Z"}
        (first,), (again,) = memory.add(turn, session="boats").memories, memory.add([turn], session="boats").memories
        self.assertEqual((first.id, first.occurred_at), (again.id, datetime(2026, 1, 5, 10, tzinfo=timezone.utc)))

    def test_a_conversation_larger_than_the_buffer_is_kept_whole(self) -> None:
        messages: list[Message] = [{"role": "user", "content": f"Crate {n} holds {n * 13} bolts. " + "It is made of wood. " * 20} for n in range(60)]
        added = self.memory("deb").add(messages)
        self.assertEqual([m.content for m in added.memories], [m["content"] for m in messages])
        self.assertNotIn("L0", {m.tier for m in added.memories})

    def test_a_session_is_closed_at_the_end_of_its_block(self) -> None:
        memory = self.memory("dan")
        with memory.session("talk") as session:
            turns = session.add([{"role": "user", "content": "My boat is called Heron."}, {"role": "assistant", "content": "A fine name."}]).memories
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

    def test_an_external_id_finds_its_memory(self) -> None:
        memory = self.memory("fay", namespace="crm")
        first = memory.remember("The berth costs 300 euros.", external_id="berths/7").memory
        assert first is not None
        again = memory.remember("The berth costs 300 euros.", external_id="berths/7").memory
        assert again is not None
        self.assertEqual((first.external_id, again.id), ("berths/7", first.id))
        with self.assertRaises(SomnographError) as caught:
            memory.remember("The berth costs 320 euros.", external_id="berths/7")
        self.assertEqual((caught.exception.code, caught.exception.field), ("VERSION_CONFLICT", "externalId"))
        corrected = memory.supersede(first.id, "The berth costs 320 euros.").memory
        found = memory.get_by_external_id("berths/7")
        self.assertEqual((found.id, found.external_id, found.content), (corrected.id, "berths/7", "The berth costs 320 euros."))
        self.assertEqual(memory.get_by_external_id("berths/7", as_of={"recorded": first.recorded_at}).id, first.id)
        with self.assertRaises(SomnographError) as caught:
            memory.get_by_external_id("berths/7", namespace="default")
        self.assertEqual(caught.exception.code, "MEMORY_NOT_FOUND")
        (many,) = memory.remember_many([{"content": "Berth 8 is free.", "external_id": "berths/8"}])
        self.assertEqual(many.memory and many.memory.external_id, "berths/8")

    def test_a_document_is_ingested_changed_and_listed(self) -> None:
        memory = self.memory("ken", namespace="papers")
        first = memory.ingest("guide/launch.md", "# Launch\n\nThe kite is launched at dawn.\n")
        assert first.document is not None
        self.assertEqual((first.error, first.unchanged, first.written, first.document.user), (None, False, 1, "ken"))
        self.assertIn("dawn", memory.search("When is the kite launched?").hits[0].memory.content or "")
        self.assertTrue(memory.ingest("guide/launch.md", "# Launch\n\nThe kite is launched at dawn.\n").unchanged)
        self.assertEqual(memory.ingest("guide/launch.md", "# Launch\n\nThe kite is launched at noon.\n").superseded, 1)
        self.assertFalse([hit for hit in memory.search("When is the kite launched?").hits if "dawn" in (hit.memory.content or "")])
        self.assertEqual([(d.path, d.version, d.chunks) for d in memory.documents().nodes], [("guide/launch.md", 2, 1)])

    def test_memories_are_listed_newest_first_and_as_of_an_instant(self) -> None:
        memory = self.memory("len", namespace="order")
        first, second = (memory.remember(f"Buoy {n} is red.", on_duplicate="INSERT").memory for n in (1, 2))
        assert first is not None and second is not None
        self.assertEqual([m.id for m in memory.list_memories({"namespaces": ["order"]}, descending=True).nodes], [second.id, first.id])
        self.assertEqual([m.id for m in memory.list_memories({"namespaces": ["order"]}, as_of={"recorded": first.recorded_at}).nodes], [first.id])

    def test_evidence_decides(self) -> None:
        memory = self.memory("finn")
        memory.remember("The winch is kept in the shed.", subject="winch")
        weak = memory.adjudicate("The winch is kept in the hangar.", "winch", [{"source": "tomas", "weight": 0.5, "confidence": 0.5}])
        self.assertEqual((weak.decision, weak.reason), ("REJECTED", "QUORUM_UNMET"))
        strong = memory.adjudicate("The winch is kept in the hangar.", "winch", [{"source": "tomas", "weight": 1.0, "confidence": 1.0}])
        self.assertEqual((strong.decision, strong.current.content), ("REPLACED", "The winch is kept in the hangar."))

    def test_sleep_reports_and_forget_leaves_nothing(self) -> None:
        memory = self.memory("gus")
        added = memory.add("My locker is number 312.").memories
        self.assertTrue(memory.sleep(deep=False).complete)
        self.assertEqual(memory.forget(user="gus", dry_run=True).count, 1)
        receipt = memory.forget(user="gus")
        self.assertEqual((receipt.status, receipt.ids), ("COMPLETE", [added[0].id]))
        self.assertIsNone(memory.get(added[0].id).content)
        self.assertEqual(memory.search("locker").hits, [])

    def test_forget_does_not_take_the_user_of_the_client(self) -> None:
        memory = self.memory("hal")
        kept, gone = memory.add([{"role": "user", "content": "My bike is red."}, {"role": "user", "content": "My car is blue."}]).memories
        memory.forget([gone.id])
        self.assertEqual(memory.get(kept.id).content, "My bike is red.")

    def test_all_memories_are_listed_page_by_page(self) -> None:
        memory = self.memory("ida", namespace="pages")
        results = memory.remember_many([{"content": f"Shelf {n} holds box {n * 7}.", "on_duplicate": "INSERT"} for n in range(25)])
        listed = list(memory.all_memories({"namespaces": ["pages"]}, page=10))
        self.assertEqual([m.id for m in listed], [r.memory.id for r in results if r.memory])
        self.assertEqual({m.user for m in listed}, {"ida"})

    def test_a_bad_message_is_an_error_and_those_before_it_are_kept(self) -> None:
        memory = self.memory("jo")
        tent: Message = {"role": "user", "content": "My tent is green."}
        with self.assertRaises(SomnographError) as caught:
            memory.add([tent, {"role": "user", "content": "x" * 40_000}], idempotency_key="tents")
        self.assertEqual((caught.exception.code, caught.exception.field), ("LIMIT_EXCEEDED", "text"))
        added = memory.add([tent, {"role": "user", "content": "My stove is red."}], idempotency_key="tents")
        self.assertEqual([m.content for m in memory.all_memories({"user": "jo"})], [m.content for m in added.memories])

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
