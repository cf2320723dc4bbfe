package dev.ligeiro.processor.reconcile;

import dev.ligeiro.store.BreakKind;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What follows from some movements of a rail's list and the postings under their ids. Only the same id, amount and direction match; each other
 * movement is one break.
 *
 * @param matches postings that the list has
 */
record Compared(List<Match> matches, List<Break> breaks) {

    /**
     * A movement of money in a rail's list.
     *
     * @param ids the rail's id, first, and the others by which the books may know it
     * @param cents negative when it leaves the account
     * @param listedAt the time by which the list has it
     * @param transactionId as the rail names it; null if it names none
     */
    record Movement(List<String> ids, long cents, Instant listedAt, @Nullable TransactionId transactionId) {

        /** The hour of the list that has it. */
        Instant listedIn() {
            return listedAt.truncatedTo(ChronoUnit.HOURS);
        }
    }

    /**
     * A posting that a rail's list can have.
     *
     * @param cents what it adds to the rail's account
     * @param listedIn the hour of the list that has it; null until it is found there
     * @param isReconciled whether it was found, or is part of a break
     */
    record Booked(
            String id,
            Tenant tenant,
            TransactionId transactionId,
            String railId,
            long cents,
            Instant at,
            @Nullable Instant listedIn,
            boolean isReconciled) {}

    /** A posting, and the movement that the list has for it. Under all of the movement's ids a break may be open. */
    record Match(Booked posting, Movement movement) {}

    /**
     * A movement in which the books and a rail's list differ.
     *
     * @param ours what the books have, in cents; null for nothing
     * @param theirs what the rail has, in cents; null for nothing
     * @param at the time of the movement at the rail, otherwise in the books
     * @param postings what the books have of it
     */
    record Break(
            BreakKind kind,
            String railId,
            @Nullable Long ours,
            @Nullable Long theirs,
            Instant at,
            @Nullable TransactionId transactionId,
            @Nullable Tenant tenant,
            List<Booked> postings) {

        /**
         * Of a movement in the list, under the rail's own id: it stays the same when the movement is booked under another one.
         *
         * @param elsewhere what the list has in another hour under the same id
         */
        private static Break listed(BreakKind kind, List<Booked> ours, List<Movement> theirs, long elsewhere) {
            Movement first = theirs.get(0);
            return new Break(
                    kind,
                    first.ids().get(0),
                    ours.isEmpty() ? null : sum(ours),
                    theirs.stream().mapToLong(Movement::cents).sum() + elsewhere,
                    first.listedAt(),
                    ours.isEmpty() ? first.transactionId() : ours.get(0).transactionId(),
                    ours.isEmpty() ? null : ours.get(0).tenant(),
                    ours);
        }

        /** Of postings under one id, which the list does not have. */
        private static Break notListed(List<Booked> ours) {
            Booked first = ours.get(0);
            BreakKind kind = ours.size() == 1 ? BreakKind.MISSING_THERE : BreakKind.TWICE;
            return new Break(
                    kind, first.railId(), sum(ours), null, first.at(), first.transactionId(), first.tenant(), ours);
        }
    }

    private static long sum(List<Booked> postings) {
        return postings.stream().mapToLong(Booked::cents).sum();
    }

    /**
     * Compares the movements with the books.
     *
     * @param since movements before this time are from before the reconciliation: without a posting they are no break
     */
    static Compared of(List<Movement> movements, Collection<Booked> postings, Instant since) {
        Map<String, List<Booked>> booked = postings.stream().collect(Collectors.groupingBy(Booked::railId));
        // a list that grows while it is read may have a movement on two pages
        Map<String, Set<Movement>> listed = new LinkedHashMap<>();
        movements.forEach(movement -> listed.computeIfAbsent(name(movement, booked), id -> new LinkedHashSet<>())
                .add(movement));
        List<Match> matches = new ArrayList<>();
        List<Break> breaks = new ArrayList<>();
        listed.forEach((id, found) -> {
            List<Movement> theirs = List.copyOf(found);
            List<Booked> ours = booked.getOrDefault(id, List.of());
            Instant listedIn = theirs.get(0).listedIn();
            long elsewhere = sum(ours.stream()
                    .filter(one -> one.listedIn() != null && !one.listedIn().equals(listedIn))
                    .toList());
            if (ours.size() > 1 || theirs.size() > 1 || elsewhere != 0) {
                breaks.add(Break.listed(BreakKind.TWICE, ours, theirs, elsewhere));
            } else if (ours.isEmpty()) {
                if (!theirs.get(0).listedAt().isBefore(since)) {
                    breaks.add(Break.listed(BreakKind.MISSING_HERE, ours, theirs, 0));
                }
            } else if (ours.get(0).cents() == theirs.get(0).cents()) {
                matches.add(new Match(ours.get(0), theirs.get(0)));
            } else {
                breaks.add(Break.listed(BreakKind.AMOUNT, ours, theirs, 0));
            }
        });
        return new Compared(matches, breaks);
    }

    private static String name(Movement movement, Map<String, List<Booked>> booked) {
        return movement.ids().stream()
                .filter(booked::containsKey)
                .findFirst()
                .orElse(movement.ids().get(0));
    }

    /** Adds a break for each of {@code asked} that was not listed, although the rail was asked about it. */
    Compared withMissing(List<Booked> asked) {
        Set<String> found = new HashSet<>();
        matches.forEach(match -> found.add(match.posting().railId()));
        breaks.forEach(one -> one.postings().forEach(posting -> found.add(posting.railId())));
        List<Break> all = new ArrayList<>(breaks);
        asked.stream()
                .filter(posting -> !found.contains(posting.railId()))
                .collect(Collectors.groupingBy(Booked::railId, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(missing -> all.add(Break.notListed(missing)));
        return new Compared(matches, all);
    }
}
