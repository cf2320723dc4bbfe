package dev.ligeiro.gateway.api.list.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.api.list.match.Filter;
import dev.ligeiro.gateway.api.list.match.Span;
import dev.ligeiro.gateway.api.list.match.Term;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class BackgroundCountsTest {

    private final BackgroundCounts background = new BackgroundCounts(new SimpleMeterRegistry());
    private final Sinks.Empty<Counts> hold = Sinks.empty();

    @Test
    void aTenantHasASecondPlaceWhileMoreThanHalfOfThemAreFree() {
        assertThat(starts(1, Status.PAID)).isTrue();
        assertThat(starts(1, Status.EXPIRED)).isTrue();
        assertThat(starts(1, Status.CANCELED)).isFalse();
        assertThat(starts(2, Status.PAID)).isTrue();
        assertThat(starts(2, Status.EXPIRED)).isTrue();

        assertThat(starts(3, Status.PAID)).isTrue();
        assertThat(starts(3, Status.EXPIRED)).isFalse();
    }

    @Test
    void eightRunAtOnce() {
        assertThat(IntStream.range(0, 10).filter(tenant -> starts(tenant, Status.PAID)))
                .hasSize(8);
    }

    @Test
    void aPlaceIsFreeWhenItsCountEnds() {
        IntStream.range(0, 8).forEach(tenant -> starts(tenant, Status.PAID));
        assertThat(starts(8, Status.PAID)).isFalse();

        hold.tryEmitError(new IllegalStateException("MongoDB is away"));
        assertThat(starts(8, Status.PAID)).isTrue();
    }

    /** Whether the tenant's count runs. It never ends, that of tenant 0 with {@link #hold}. */
    private boolean starts(long tenant, Status status) {
        Filter filter = new Filter(new Tenant(tenant), List.of(Term.status(status)));
        Mono<Counts> counting = tenant == 0 ? hold.asMono() : Mono.never();
        background.run(filter, Span.ALL, progress -> counting).subscribe(counts -> {}, failure -> {});
        return background.progress(filter, Span.ALL) != null;
    }
}
