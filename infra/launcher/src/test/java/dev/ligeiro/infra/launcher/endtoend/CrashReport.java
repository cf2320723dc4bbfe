package dev.ligeiro.infra.launcher.endtoend;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Announcement;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Try;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What merchants noticed of each fault, as a Markdown table. */
final class CrashReport {

    /** Between the names of faults at the same time. */
    static final String AND = " and ";

    private final String run;
    private final ConstantLoad<?> load;
    private final ChangeReceiver receiver;
    private final List<Period> periods = new ArrayList<>();

    /** From a fault until the system was whole again. */
    private record Period(String fault, Instant from, Instant until) {

        /** Pairs are too many for a row each. */
        String kind() {
            return fault.contains(AND) ? "two at once" : fault;
        }
    }

    /**
     * @param refused requests to create a transaction that got a 503, or no answer
     * @param withoutCreate the longest time without a 201
     * @param slowestWebhook from the 201 to the webhook {@code transaction.created}
     * @param copies webhooks that were sent again
     */
    private record Seen(long created, long refused, Duration withoutCreate, Duration slowestWebhook, long copies) {}

    /** @param run the name of the test, in the lines that it prints */
    CrashReport(String run, ConstantLoad<?> load, ChangeReceiver receiver) {
        this.run = run;
        this.load = load;
        this.receiver = receiver;
    }

    /** Waits until a transaction that is created from now on is announced. */
    void awaitAnnounced(Duration within) {
        Instant now = Instant.now();
        await("announced").atMost(within).until(() -> load.created().entrySet().stream()
                .anyMatch(each -> each.getValue().at().isAfter(now)
                        && receiver.announced().containsKey(new Change(each.getKey(), 1))));
    }

    void add(String fault, Instant from, Instant until) {
        periods.add(new Period(fault, from, until));
        System.out.printf(
                "%s: %s %s, recovered after %s s%n", run, from, fault, seconds(Duration.between(from, until)));
    }

    /** After the last webhook has arrived. */
    String table() {
        Map<String, List<Seen>> byFault = periods.stream()
                .collect(Collectors.groupingBy(
                        Period::kind, TreeMap::new, Collectors.mapping(this::seen, Collectors.toList())));
        Stream<String> head = Stream.of(
                "| fault | times | created | 503 or no answer | s without a 201, median / worst | slowest webhook, s, median / worst"
                        + " | repeated webhooks |",
                "|---|---|---|---|---|---|---|");
        return Stream.concat(head, byFault.entrySet().stream().map(row -> row(row.getKey(), row.getValue())))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private Seen seen(Period period) {
        List<Try> tries = load.tries(period.from(), period.until());
        List<Try> created = tries.stream().filter(each -> each.status() == 201).toList();
        return new Seen(
                created.size(),
                tries.size() - created.size(),
                longestPause(period, created),
                slowestWebhook(period),
                receiver.copies(period.from(), period.until()));
    }

    private static Duration longestPause(Period period, List<Try> created) {
        List<Instant> ends = Stream.of(
                        Stream.of(period.from()), created.stream().map(Try::endedAt), Stream.of(period.until()))
                .flatMap(instants -> instants)
                .sorted()
                .toList();
        return IntStream.range(1, ends.size())
                .mapToObj(each -> Duration.between(ends.get(each - 1), ends.get(each)))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private Duration slowestWebhook(Period period) {
        return load.created().entrySet().stream()
                .filter(each -> !each.getValue().at().isBefore(period.from())
                        && each.getValue().at().isBefore(period.until()))
                .map(each -> {
                    Announcement announced = receiver.announced().get(new Change(each.getKey(), 1));
                    return announced == null
                            ? null
                            : Duration.between(each.getValue().at(), announced.at());
                })
                .filter(Objects::nonNull)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static String row(String fault, List<Seen> seen) {
        return "| %s | %d | %d | %d | %s | %s | %d |"
                .formatted(
                        fault,
                        seen.size(),
                        seen.stream().mapToLong(Seen::created).sum(),
                        seen.stream().mapToLong(Seen::refused).sum(),
                        medianAndWorst(seen.stream().map(Seen::withoutCreate)),
                        medianAndWorst(seen.stream().map(Seen::slowestWebhook)),
                        seen.stream().mapToLong(Seen::copies).sum());
    }

    private static String medianAndWorst(Stream<Duration> durations) {
        List<Duration> sorted = durations.sorted().toList();
        return seconds(sorted.get(sorted.size() / 2)) + " / " + seconds(sorted.get(sorted.size() - 1));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1e3);
    }
}
