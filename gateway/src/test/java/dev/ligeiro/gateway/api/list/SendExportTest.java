package dev.ligeiro.gateway.api.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class SendExportTest {

    private static final Tenant ONE = Tenant.of(1, Mode.TEST);
    private static final Tenant OTHER = Tenant.of(1_000, Mode.TEST);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SendExport exports = new SendExport(metrics);
    private final List<String> ends = new ArrayList<>();

    @Test
    void aTenantAtItsLimitIsRefusedAndOthersAreNot() {
        for (int i = 0; i <= SendExport.PER_TENANT_MAX; i++) {
            run(ONE, Mono.never());
        }
        assertThat(ends).containsExactly("rate_limited");

        for (int number = 2; count() < SendExport.EXPORTS_MAX; number++) {
            run(Tenant.of(number, Mode.TEST), Mono.never());
        }
        run(OTHER, Mono.never());
        assertThat(ends).containsExactly("rate_limited", "overloaded");
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
        assertThat(count()).isZero();
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
        assertThat(count()).isZero();
    }

    private long count() {
        return (long) metrics.get("ligeiro.gateway.exports").gauge().value();
    }

    private Disposable run(Tenant tenant, Mono<Void> export) {
        return exports.run(tenant, export)
                .subscribe(nothing -> {}, failure -> ends.add(reason(failure)), () -> ends.add("complete"));
    }

    private static String reason(Throwable failure) {
        return failure instanceof Problem problem ? problem.code().code() : String.valueOf(failure.getMessage());
    }
}
