package dev.ligeiro.processor.notice;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.support.work.RepeatedWork;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Checks that each bank has the URL for notices, and repairs it. Every processor does it, without a lease: they register the same URL, by two
 * calls at most. It is apart from {@link CatchUp}, because a refused URL is tried again soon, and the payments are not read again for it.
 */
@Component
class RegisterNoticeUrls extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RegisterNoticeUrls.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final double JITTER = 0.1;

    /** After a failure: Efí refuses cashouts until it has the URL. */
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);

    private final LiveRails live;
    private final Rails rails;
    private final NoticeProperties properties;
    private volatile Duration pause = FIRST_PAUSE;

    RegisterNoticeUrls(LiveRails live, Rails rails, NoticeProperties properties) {
        this.live = live;
        this.rails = rails;
        this.properties = properties;
    }

    @Override
    public void start() {
        if (!live.accounts().isEmpty()) {
            super.start();
        }
    }

    @Override
    protected Duration pause() {
        return pause;
    }

    @Override
    protected Mono<Void> run() {
        pause = jittered(properties.catchUpEvery(), JITTER);
        return Flux.fromIterable(live.accounts().entrySet())
                .flatMapDelayError(account -> register(account.getKey(), account.getValue()), 1, 1)
                .then()
                .doOnError(failure -> pause = pause.compareTo(RETRY_PAUSE) < 0 ? pause : RETRY_PAUSE);
    }

    private Mono<Void> register(String rail, BankAccount bank) {
        BankProperties account = bank.properties();
        URI url = account.noticeUrl();
        if (url == null) {
            return Mono.empty();
        }
        String path = account.kind().pixPath() + "/webhook/" + account.receiverKey();
        return rails.make(rail, bank.get("notice_url", path), RETRY_PAUSE)
                .filter(found -> !found.body().path("webhookUrl").asString("").equals(url.toString()))
                .flatMap(other -> rails.make(
                        rail, bank.put("notice_url", path, Map.of("webhookUrl", url.toString())), RETRY_PAUSE))
                .doOnNext(RegisterNoticeUrls::requireDone)
                .doOnNext(done -> LOG.atInfo()
                        .addKeyValue("event.action", "notice_url_registered")
                        .addKeyValue("rail", rail)
                        .log("The bank had another URL for notices, or none; now it has ours"))
                .then();
    }

    private static void requireDone(BankAnswer answer) {
        if (!answer.isDone()) {
            throw new RailFault("status: " + answer.status());
        }
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "notice_url_failed")
                .addKeyValue(
                        "cause",
                        RailFault.describe(Exceptions.unwrapMultiple(failure).get(0)))
                .log("A bank has not taken the URL for notices; it is tried again");
    }
}
