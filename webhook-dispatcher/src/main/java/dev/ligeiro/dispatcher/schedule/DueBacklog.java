package dev.ligeiro.dispatcher.schedule;

import dev.ligeiro.dispatcher.delivery.DeliveryStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A gauge of the deliveries that are due and not held by a process, counted at an interval and limited to 10,000. Together with the
 * consumer lag it tells how many dispatchers are needed. All processes report the same number; NaN while MongoDB is unavailable.
 */
@Component
class DueBacklog implements DisposableBean {

    private static final int COUNT_MAX = 10_000;
    private static final long UNKNOWN = -1;

    private final AtomicLong due = new AtomicLong(UNKNOWN);
    private final Disposable counting;

    DueBacklog(DeliveryStore deliveries, RetryProperties properties, Clock clock, MeterRegistry metrics) {
        Gauge.builder("ligeiro.webhook.due", due, count -> count.get() == UNKNOWN ? Double.NaN : count.get())
                .description("Deliveries that are due and not held by a process, counted up to " + COUNT_MAX)
                .register(metrics);
        Duration interval = properties.backlogInterval();
        this.counting = Flux.interval(Duration.ZERO, interval)
                .onBackpressureDrop()
                .concatMap(
                        tick -> deliveries
                                .countDue(clock.instant(), COUNT_MAX)
                                .onErrorResume(unavailable -> Mono.just(UNKNOWN)),
                        1)
                .subscribe(due::set);
    }

    @Override
    public void destroy() {
        counting.dispose();
    }
}
