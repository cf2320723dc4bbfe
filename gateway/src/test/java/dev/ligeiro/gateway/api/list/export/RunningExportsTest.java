package dev.ligeiro.gateway.api.list.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Three exports in all, two of each tenant. */
class RunningExportsTest {

    private static final Tenant ONE = new Tenant(2);
    private static final Tenant OTHER = new Tenant(4);

    private final RunningExports exports = new RunningExports(new ExportProperties(3, 2), new SimpleMeterRegistry());
    private final List<String> ends = new ArrayList<>();

    @Test
    void aTenantAtItsLimitIsRefusedAndOthersAreNot() {
        run(ONE, Mono.never());
        run(ONE, Mono.never());

        run(ONE, Mono.never());
        run(OTHER, Mono.never());
        run(OTHER, Mono.never());

        assertThat(ends).containsExactly("rate_limited", "overloaded");
        assertThat(exports.count()).isEqualTo(3);
    }

    @Test
    void anEndHoweverItComesMakesRoom() {
        Sinks.Empty<Void> completes = Sinks.empty();
        Sinks.Empty<Void> fails = Sinks.empty();
        run(ONE, completes.asMono());
        run(ONE, fails.asMono());
        Disposable disconnects = run(OTHER, Mono.never());

        completes.tryEmitEmpty();
        fails.tryEmitError(new IllegalStateException("broken"));
        disconnects.dispose();

        assertThat(ends).containsExactly("complete", "broken");
        assertThat(exports.count()).isZero();
        run(ONE, Mono.empty());
        assertThat(ends).endsWith("complete");
    }

    @Test
    void aStopEndsAll() {
        run(ONE, Mono.never());
        run(OTHER, Mono.never());

        exports.stop();
        run(OTHER, Mono.never());

        assertThat(ends).containsExactly("unavailable", "unavailable", "unavailable");
        assertThat(exports.count()).isZero();
    }

    private Disposable run(Tenant tenant, Mono<Void> export) {
        return exports.run(tenant, export)
                .subscribe(nothing -> {}, failure -> ends.add(reason(failure)), () -> ends.add("complete"));
    }

    private static String reason(Throwable failure) {
        return failure instanceof Problem problem ? problem.code().code() : String.valueOf(failure.getMessage());
    }
}
