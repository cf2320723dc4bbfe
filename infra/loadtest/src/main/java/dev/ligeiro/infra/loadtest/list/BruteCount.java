package dev.ligeiro.infra.loadtest.list;

import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts what matches by reading every stored transaction of a merchant and comparing its fields: none of the gateway's indexes, tokens and
 * kept counts has a part in it.
 */
final class BruteCount {

    private final StoredRows rows;

    BruteCount(StoredRows rows) {
        this.rows = rows;
    }

    /** How many transactions match each filter, in the order of the filters. */
    List<Long> of(Tenant tenant, List<ListFilter> filters) {
        long[] counts = new long[filters.size()];
        List<ListFilter> all = new ArrayList<>(filters);
        rows.forEach(tenant, row -> {
            RowWords words = RowWords.of(row);
            for (int i = 0; i < counts.length; i++) {
                if (all.get(i).matches(words)) {
                    counts[i]++;
                }
            }
        });
        return Arrays.stream(counts).boxed().toList();
    }
}
