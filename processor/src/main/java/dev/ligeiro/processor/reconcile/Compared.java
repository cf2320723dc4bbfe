package dev.ligeiro.processor.reconcile;

import dev.ligeiro.store.BreakKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What follows from some movements of a rail's list and the postings under their ids. Only the same id, amount and direction match; each other
 * movement is one break.
 *
 * @param matches postings that the list has
 */
record Compared(List<Match> matches, List<Break> breaks) {

    /** @param movement the one of the list */
    record Match(Booked posting, Movement movement) {

        /** Whether the posting did not match before. */
        boolean isNew() {
            return posting.listedIn() == null;
        }

        /** All ids that a break of the movement may have: before it was booked, nobody knew under which. */
        Stream<String> ids() {
            return movement.ids().stream();
        }
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
            long elsewhere = ours.stream()
                    .filter(one -> one.listedIn() != null && !one.listedIn().equals(listedIn))
                    .mapToLong(Booked::cents)
                    .sum();
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
