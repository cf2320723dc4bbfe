package dev.ligeiro.gateway.list.count;

import dev.ligeiro.gateway.list.count.Slice.Unit;
import dev.ligeiro.transaction.Tenant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Reads kept counts with the versions that tell which of them are valid. Filters without a status need no versions. */
class ReadKeptCounts {

    private final KeptCountStore counts;
    private final SliceVersionStore versions;

    ReadKeptCounts(KeptCountStore counts, SliceVersionStore versions) {
        this.counts = counts;
        this.versions = versions;
    }

    /** The kept counts of whole days of the range. */
    Mono<ValidCounts> wholeDays(CountQueries queries, Cover cover) {
        if (!cover.hasSlices()) {
            return Mono.just(new ValidCounts(Map.of(), Versions.CONSTANT));
        }
        long first = Slice.at(Unit.DAY, cover.slicesFrom()).number();
        long last = Slice.at(Unit.DAY, cover.slicesBefore() - 1).number();
        Mono<Versions> current =
                queries.hasStatus() ? versions.wholeDays(queries.tenant(), first, last) : Mono.just(Versions.CONSTANT);
        return Mono.zip(counts.wholeDays(queries.filter(), first, last), current, ValidCounts::new);
    }

    /**
     * The kept counts of these days and of their hours and minutes. The days have versions from now on.
     *
     * @param wholeDays the versions of days that have some
     */
    Mono<ValidCounts> slices(CountQueries queries, Collection<Long> days, Versions wholeDays) {
        return Mono.zip(counts.slices(queries.filter(), days), versions(queries, days, wholeDays), ValidCounts::new);
    }

    private Mono<Versions> versions(CountQueries queries, Collection<Long> days, Versions wholeDays) {
        if (!queries.hasStatus()) {
            return Mono.just(Versions.CONSTANT);
        }
        Tenant tenant = queries.tenant();
        List<Long> without = days.stream()
                .filter(day -> wholeDays.of(Slice.day(day)) == null)
                .toList();
        return versions.create(tenant, without).then(Mono.defer(() -> versions.slices(tenant, days)));
    }
}
