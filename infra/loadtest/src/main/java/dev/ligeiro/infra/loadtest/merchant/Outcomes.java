package dev.ligeiro.infra.loadtest.merchant;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each outcome was seen. Any thread may count. */
public final class Outcomes {

    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    public void count(String outcome) {
        counts.computeIfAbsent(outcome, first -> new LongAdder()).increment();
    }

    /** Such as {@code {200=12, 429=311}}. */
    @Override
    public String toString() {
        return counts.toString();
    }
}
