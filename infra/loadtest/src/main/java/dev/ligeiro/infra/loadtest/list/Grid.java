package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.merchant.Load;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.report.StepResult.Latency;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Asks for the pages of one filter after the other, while no transaction changes: the first page until it is answered, then again, pages
 * anywhere, the last page, and the pages that {@code next_page_url} leads to.
 */
final class Grid {

    private final ListClient client;
    private final Supplier<Processes> processes;
    private final RunFaults faults;
    private final int requests;
    private final SplittableRandom random = new SplittableRandom(15);

    /** @param requests of each kind of page */
    Grid(ListClient client, Supplier<Processes> processes, RunFaults faults, int requests) {
        this.client = client;
        this.processes = processes;
        this.faults = faults;
        this.requests = requests;
    }

    /** Empty when its first page was refused for too long. */
    Optional<FilterTimes> measure(ListFilter filter) {
        Optional<ListClient.Got> first = client.get(filter.path(1));
        if (first.isEmpty()) {
            faults.add("filter that was refused for ever", filter.label());
        }
        return first.map(got -> warm(filter, got));
    }

    private FilterTimes warm(ListFilter filter, ListClient.Got first) {
        long last = first.page().last();
        Map<String, Latency> warm = new LinkedHashMap<>();
        Map<Role, Long> before = processes.get().cpuMicros();
        warm.put("first", times(filter, () -> filter.path(1)));
        warm.put("any", times(filter, () -> filter.path(random.nextLong(1, last + 1))));
        warm.put("last", times(filter, () -> filter.path(last)));
        warm.put("next", times(filter, new Following(filter, last)));
        Map<Role, Long> after = processes.get().cpuMicros();
        Map<Role, Double> cpu = new EnumMap<>(Role.class);
        for (Role role : new Role[] {Role.GATEWAY, Role.MONGOD}) {
            long micros = after.getOrDefault(role, 0L) - before.getOrDefault(role, 0L);
            cpu.put(role, micros / (double) (warm.size() * requests));
        }
        return new FilterTimes(filter, first.page().total(), first.took(), first.tooEarly(), warm, cpu);
    }

    private Latency times(ListFilter filter, Supplier<String> paths) {
        Histogram micros = Load.histogram();
        for (int request = 0; request < requests; request++) {
            Optional<ListClient.Got> got = client.get(paths.get());
            got.ifPresent(answer -> {
                Load.recordNanos(micros, answer.took().toNanos());
                if (!answer.page().isWhole()) {
                    faults.add(
                            "page with wrong rows",
                            filter.label() + ", page " + answer.page().number());
                }
                if (paths instanceof Following following) {
                    following.at(answer.page());
                }
            });
        }
        return Latency.of(micros);
    }

    /** The page after the previous one; from a page anywhere, and again when the list has ended. */
    private final class Following implements Supplier<String> {

        private final ListFilter filter;
        private final long last;
        private Optional<String> next = Optional.empty();

        Following(ListFilter filter, long last) {
            this.filter = filter;
            this.last = last;
            restart();
        }

        private void restart() {
            String from = filter.path(Math.max(1, random.nextLong(1, last + 1) - 1));
            next = Optional.of(
                    Objects.requireNonNullElse(client.require(from).page().next(), from));
        }

        void at(ListPage page) {
            next = Optional.ofNullable(page.next());
        }

        @Override
        public String get() {
            if (next.isEmpty()) {
                restart();
            }
            return next.orElseThrow();
        }
    }
}
