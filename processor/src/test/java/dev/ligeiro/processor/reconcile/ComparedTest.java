package dev.ligeiro.processor.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.reconcile.Compared.Booked;
import dev.ligeiro.processor.reconcile.Compared.Movement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ComparedTest {

    private static final Instant AT = Instant.parse("2026-11-27T03:20:00Z");
    private static final Instant HOUR = Instant.parse("2026-11-27T03:00:00Z");

    static List<Arguments> pages() {
        return List.of(
                Arguments.of("the same", List.of(listed("E1", 700)), List.of(booked("E1", 700)), "match E1"),
                Arguments.of(
                        "known by another id",
                        List.of(listed(List.of("E1", "ours"), -700, AT)),
                        List.of(booked("ours", -700)),
                        "match ours"),
                Arguments.of(
                        "known by another id with another amount",
                        List.of(listed(List.of("E1", "ours"), -700, AT)),
                        List.of(booked("ours", -701)),
                        "amount E1 -701 -700"),
                Arguments.of("not booked", List.of(listed("E1", 700)), List.of(), "missing_here E1 null 700"),
                Arguments.of(
                        "another amount", List.of(listed("E1", 701)), List.of(booked("E1", 700)), "amount E1 700 701"),
                Arguments.of(
                        "another direction",
                        List.of(listed("E1", -700)),
                        List.of(booked("E1", 700)),
                        "amount E1 700 -700"),
                Arguments.of(
                        "booked twice",
                        List.of(listed("E1", 700)),
                        List.of(booked("E1", 700), booked("E1", 700)),
                        "twice E1 1400 700"),
                Arguments.of(
                        "listed twice",
                        List.of(listed("E1", 700), listed(List.of("E1"), 700, AT.plusSeconds(1))),
                        List.of(booked("E1", 700)),
                        "twice E1 700 1400"),
                Arguments.of(
                        "on two pages, because the list has grown meanwhile",
                        List.of(listed("E1", 700), listed("E1", 700)),
                        List.of(booked("E1", 700)),
                        "match E1"),
                Arguments.of(
                        "listed in another hour before",
                        List.of(listed("E1", 700)),
                        List.of(booked("E1", 700, HOUR.minusSeconds(3600))),
                        "twice E1 700 1400"),
                Arguments.of("read again", List.of(listed("E1", 700)), List.of(booked("E1", 700, HOUR)), "match E1"),
                Arguments.of("from before", List.of(listed(List.of("E1"), 700, AT.minusSeconds(3600))), List.of(), ""),
                Arguments.of(
                        "all together",
                        List.of(listed("E1", 700), listed("E2", 5), listed("E3", -9)),
                        List.of(booked("E1", 700), booked("E3", -8)),
                        "match E1, missing_here E2 null 5, amount E3 -8 -9"));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("pages")
    void onlyTheSameIdAmountAndDirectionMatch(
            String name, List<Movement> listed, List<Booked> booked, String expected) {
        assertThat(text(Compared.of(listed, booked, HOUR))).isEqualTo(expected);
    }

    @Test
    void whatWasAskedAboutAndIsNotListedIsABreak() {
        List<Booked> asked = List.of(booked("E1", 700), booked("E2", 5), booked("E3", 1), booked("E3", 1));

        Compared compared =
                Compared.of(List.of(listed("E1", 700)), asked, Instant.MAX).withMissing(asked);

        assertThat(text(compared)).isEqualTo("match E1, missing_there E2 5 null, twice E3 2 null");
        assertThat(compared.breaks()).allSatisfy(one -> assertThat(one.tenant()).isEqualTo(Transactions.TENANT));
    }

    private static String text(Compared compared) {
        List<String> all = new ArrayList<>();
        compared.matches().forEach(match -> all.add("match " + match.posting().railId()));
        compared.breaks()
                .forEach(
                        one -> all.add(one.kind().code() + " " + one.railId() + " " + one.ours() + " " + one.theirs()));
        return String.join(", ", all);
    }

    private static Movement listed(String id, long cents) {
        return listed(List.of(id), cents, AT);
    }

    private static Movement listed(List<String> ids, long cents, Instant at) {
        return new Movement(ids, cents, at, null);
    }

    private static Booked booked(String railId, long cents) {
        return booked(railId, cents, null);
    }

    private static Booked booked(String railId, long cents, @Nullable Instant listedIn) {
        return new Booked("event", Transactions.TENANT, Transactions.ID, railId, cents, AT, listedIn, listedIn != null);
    }
}
