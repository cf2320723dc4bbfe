package dev.ligeiro.support.instance;

import dev.ligeiro.support.instance.ServiceInstance.Figure;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Reports this process every 15 s, with the values that its metrics have at that time. It measures nothing itself. A report that fails is
 * left out.
 */
final class ReportInstance extends RepeatedWork {

    /**
     * The gauges whose values operators see in {@code GET /admin/status}, by Micrometer's name. Each has few series: one, or one for each
     * rail, consumer group, certificate or state.
     */
    static final List<String> FIGURES = List.of(
            "disk.free",
            "disk.total",
            "jvm.memory.max",
            "jvm.memory.used",
            "ligeiro.approvals.oldest",
            "ligeiro.approvals.waiting",
            "ligeiro.breaks.open",
            "ligeiro.breaks.open.oldest",
            "ligeiro.clock.ahead",
            "ligeiro.consumer.lag",
            "ligeiro.due.behind",
            "ligeiro.due.behind.age",
            "ligeiro.due.stuck",
            "ligeiro.gateway.republish.open",
            "ligeiro.gateway.unaccepted.oldest",
            "ligeiro.gateway.undecodable.documents",
            "ligeiro.rail.breakers.open",
            "ligeiro.rail.catch.up.age",
            "ligeiro.rail.locations.level",
            "ligeiro.rail.permitted.calls",
            "ligeiro.rail.token.age",
            "ligeiro.rail.unknown.oldest",
            "ligeiro.rail.waiting.calls",
            "ligeiro.reconciled.age",
            "ligeiro.view.settings",
            "ligeiro.webhook.due",
            "ligeiro.webhook.due.oldest",
            "ligeiro.webhook.failing.longest",
            "ligeiro.webhook.lanes",
            "process.cpu.usage",
            "ssl.chain.expiry");

    /** Of the memory pools only those of the heap count. */
    private static final Tag NO_HEAP = Tag.of("area", "nonheap");

    private static final int FIGURES_MAX = 300;
    private static final Duration FIRST_AFTER = Duration.ofSeconds(2);
    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;
    private static final Logger LOG = LoggerFactory.getLogger(ReportInstance.class);

    private final UUID id = UUID.randomUUID();
    private final InstanceStore store;
    private final MeterRegistry meters;
    private final Clock clock;
    private final String service;
    private final String version;
    /** Its look-up may wait for a name server. */
    private final Mono<String> host = Mono.fromCallable(
                    () -> InetAddress.getLocalHost().getHostName())
            .subscribeOn(Schedulers.boundedElastic())
            .onErrorReturn("unknown")
            .cache();

    private volatile boolean isFirst = true;

    ReportInstance(InstanceStore store, MeterRegistry meters, Clock clock, String service, String version) {
        this.store = store;
        this.meters = meters;
        this.clock = clock;
        this.service = service;
        this.version = version;
    }

    @Override
    protected Duration pause() {
        return jittered(isFirst ? FIRST_AFTER : EVERY, JITTER);
    }

    @Override
    protected Mono<Void> run() {
        isFirst = false;
        return host.map(this::now).flatMap(store::put);
    }

    private ServiceInstance now(String name) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        Duration up = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        return new ServiceInstance(
                id,
                service,
                version,
                name,
                ProcessHandle.current().pid(),
                now.minus(up),
                now,
                FIGURES.stream()
                        .flatMap(figure -> meters.find(figure).gauges().stream())
                        .filter(gauge -> !gauge.getId().getTags().contains(NO_HEAP))
                        .map(ReportInstance::figure)
                        .filter(figure -> Double.isFinite(figure.value()))
                        .limit(FIGURES_MAX)
                        .toList());
    }

    private static Figure figure(Gauge gauge) {
        return new Figure(
                gauge.getId().getName(),
                gauge.getId().getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue)),
                gauge instanceof TimeGauge time ? time.value(TimeUnit.SECONDS) : gauge.value());
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atInfo()
                .addKeyValue("event.action", "instance_not_reported")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log(
                        "MongoDB did not take the report of this process for the operators' status page; the next one follows");
    }
}
