package dev.ligeiro.processor.notice;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.processor.rail.LiveRails;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.support.work.RepeatedWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds what the banks' notices have not told: one processor at a time checks that each bank has the URL for notices, repairs it, and reads
 * the payments of the last 30 minutes again. It reads a fixed span and keeps no mark, so payments that a bank dates back are found.
 */
@Component
class CatchUp extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final double JITTER = 0.1;

    /** After a failed pass: Efí refuses cashouts until it has the URL for notices. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);

    /** 100 payments with some refunds are below the bound of an answer. */
    private static final int PAGE_SIZE = 100;

    private final LiveRails rails;
    private final PublishNotices publish;
    private final CatchUpLeaseStore lease;
    private final NoticeProperties properties;
    private final Clock clock;
    private final Map<String, Instant> caughtUpAt = new ConcurrentHashMap<>();
    private volatile Duration pause = FIRST_PAUSE;

    CatchUp(
            LiveRails rails,
            PublishNotices publish,
            CatchUpLeaseStore lease,
            NoticeProperties properties,
            MeterRegistry meters,
            Clock clock) {
        this.rails = rails;
        this.publish = publish;
        this.lease = lease;
        this.properties = properties;
        this.clock = clock;
        rails.accounts().keySet().forEach(rail -> {
            caughtUpAt.put(rail, clock.instant());
            Gauge.builder("ligeiro.rail.catch.up.age", () -> age(rail))
                    .description("Time since this processor has read the rail's payments again, or since its start")
                    .baseUnit("seconds")
                    .tag("rail", rail)
                    .register(meters);
        });
    }

    private long age(String rail) {
        return Duration.between(requireNonNull(caughtUpAt.get(rail)), clock.instant())
                .toSeconds();
    }

    @Override
    public void start() {
        if (!rails.accounts().isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        Duration next = pause;
        pause = jittered(properties.catchUpEvery(), JITTER);
        return next;
    }

    @Override
    protected Mono<Void> run() {
        return lease.take(clock.instant(), properties.catchUpEvery().multipliedBy(2))
                .filter(taken -> taken)
                .flatMapMany(taken -> Flux.fromIterable(rails.accounts().entrySet()))
                // a bank that is away must not keep the others from being read
                .flatMapDelayError(account -> check(account.getKey(), account.getValue()), 1, 1)
                .then()
                .doOnError(failure -> pause = pause.compareTo(RETRY_PAUSE) < 0 ? pause : RETRY_PAUSE);
    }

    private Mono<Void> check(String rail, BankAccount bank) {
        Instant to = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Mono<Void> read = read(rail, bank, to, 0)
                .expand(next -> read(rail, bank, to, next))
                .then()
                .doOnSuccess(done -> caughtUpAt.put(rail, to));
        return Flux.concatDelayError(registered(rail, bank), read).then();
    }

    private Mono<Void> registered(String rail, BankAccount bank) {
        BankProperties account = bank.properties();
        URI url = account.noticeUrl();
        if (url == null) {
            return Mono.empty();
        }
        String path = account.kind().pixPath() + "/webhook/" + account.receiverKey();
        return bank.get("notice_url", path)
                .filter(found -> !found.body().path("webhookUrl").asString("").equals(url.toString()))
                .flatMap(other -> bank.put("notice_url", path, Map.of("webhookUrl", url.toString())))
                .doOnNext(CatchUp::requireDone)
                .doOnNext(done -> LOG.atInfo()
                        .addKeyValue("event.action", "notice_url_registered")
                        .addKeyValue("rail", rail)
                        .log("The bank had another URL for notices, or none; now it has ours"))
                .then();
    }

    /** Gives the next page; empty after the last one. */
    private Mono<Integer> read(String rail, BankAccount bank, Instant to, int page) {
        BankProperties account = bank.properties();
        Map<String, String> span = Map.of(
                "inicio", to.minus(properties.catchUpOf()).toString(),
                "fim", to.toString(),
                "paginacao.paginaAtual", Integer.toString(page),
                "paginacao.itensPorPagina", Integer.toString(PAGE_SIZE));
        return bank.get("payments", account.kind().pixPath() + "/pix", span).flatMap(answer -> {
            requireDone(answer);
            int pages = answer.body()
                    .path("parametros")
                    .path("paginacao")
                    .path("quantidadeDePaginas")
                    .asInt(0);
            Mono<Void> published = publish.publish(ReadNotices.read(rail, account.receiverKey(), answer.body()));
            return published.then(page + 1 < pages ? Mono.just(page + 1) : Mono.empty());
        });
    }

    private static void requireDone(BankAnswer answer) {
        if (!answer.isDone()) {
            throw new RailFault("status: " + answer.status());
        }
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "catch_up_failed")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank's payments were not read again; the next pass does it");
    }

    /** Another processor goes on at once if MongoDB answers within 1 s. */
    @Override
    public void stop() {
        if (isRunning()) {
            super.stop();
            lease.release().timeout(FIRST_PAUSE).onErrorComplete().subscribe();
        }
    }
}
