package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.infra.loadtest.list.Fills.FilledMerchant;
import dev.ligeiro.infra.loadtest.run.LoadTestContext;
import dev.ligeiro.infra.loadtest.run.Progress;
import java.util.ArrayList;
import java.util.List;

/** The totals that a merchant's lists show, to be compared with its stored transactions. */
final class ListTotals {

    private final LoadTestContext context;
    private final FilledMerchant merchant;
    private final List<Total> totals = new ArrayList<>();

    private record Total(ListFilter filter, long shown) {}

    ListTotals(LoadTestContext context, FilledMerchant merchant) {
        this.context = context;
        this.merchant = merchant;
    }

    void add(ListFilter filter, long total) {
        totals.add(new Total(filter, total));
    }

    /**
     * Reads every stored transaction of the merchant and compares its fields with each filter: none of the gateway's indexes and cached
     * counts has a part in it.
     */
    void compare() {
        Progress.say("counting the transactions of the merchant %s", merchant.name());
        long[] counts = new long[totals.size()];
        context.stored().forEach(merchant.tenant(), transaction -> {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += totals.get(i).filter().matches(transaction) ? 1 : 0;
            }
        });
        int different = 0;
        for (int i = 0; i < counts.length; i++) {
            Total total = totals.get(i);
            if (total.shown() != counts[i]) {
                different++;
                context.faults()
                        .add(
                                "list with a wrong total",
                                "%s: %d (expected: %d)".formatted(total.filter(), total.shown(), counts[i]));
            }
        }
        Progress.say("%d totals compared with a brute count, %d different", counts.length, different);
    }
}
