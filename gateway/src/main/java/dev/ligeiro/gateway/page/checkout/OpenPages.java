package dev.ligeiro.gateway.page.checkout;

import dev.ligeiro.gateway.GatewayMemoryBudget;
import dev.ligeiro.gateway.http.PassedTime;
import dev.ligeiro.support.work.RepeatedWork;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * The open checkout pages of one mode at this gateway, by transaction. It looks at the statuses of their transactions again and again, and
 * tells the pages of changes. It reads nothing while no page is open, and at most 2,000 statuses a second in both modes: with 10,000
 * transactions each is looked at every 5 s. Test mode has a quarter of everything, so its pages delay none of live mode. A page that finds
 * no place is told the current status and asks again half a minute later, so it becomes slow instead of failing.
 */
class OpenPages extends RepeatedWork {

    private static final Logger LOG = LoggerFactory.getLogger(OpenPages.class);

    /** More pages ask again after half a minute. Each keeps a connection, too. */
    private static final int PAGES_MAX = 10_000;
    /** So that the pages of one transaction cannot take the place of all others. */
    private static final int TRANSACTION_PAGES_MAX = 10;
    /** Spread, so that the pages of a gateway that stops do not come back at the same moment. */
    private static final Duration RECONNECT = Duration.ofSeconds(2);

    private static final Duration RECONNECT_WITHOUT_PLACE = Duration.ofSeconds(20);
    private static final int QUERY_MAX = 500;
    /** The shortest time between two looks: a live page changes after at most this time while there are at most 1,500. */
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Between two statuses, if one mode had everything. */
    private static final Duration SPACING = Duration.ofNanos(500_000);

    private static final int PARTS = 4;

    private final Function<List<TransactionId>, Mono<Map<TransactionId, Status>>> noLongerPending;
    private final Map<TransactionId, Set<StatusStream>> pages = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final int openMax;
    private final Duration spacing;
    private final PassedTime time;
    private volatile boolean closed;

    /** One for each mode. */
    @Configuration(proxyBeanMethods = false)
    static class OfBothModes {

        @Bean
        OpenPages livePages(CheckoutStore store, Clock clock, MeterRegistry registry) {
            return new OpenPages(Mode.LIVE, store::noLongerPending, clock, registry);
        }

        @Bean
        OpenPages testPages(CheckoutStore store, Clock clock, MeterRegistry registry) {
            return new OpenPages(Mode.TEST, store::noLongerPending, clock, registry);
        }
    }

    /** @param noLongerPending {@link CheckoutStore#noLongerPending} */
    OpenPages(
            Mode mode,
            Function<List<TransactionId>, Mono<Map<TransactionId, Status>>> noLongerPending,
            Clock clock,
            MeterRegistry registry) {
        this.noLongerPending = noLongerPending;
        int parts = parts(mode);
        this.openMax = places(mode, Runtime.getRuntime().maxMemory());
        this.spacing = SPACING.multipliedBy(PARTS).dividedBy(parts);
        this.time = new PassedTime(clock);
        Gauge.builder("ligeiro.gateway.checkout.pages", open::get)
                .description("Open checkout pages that are told when the status of their transaction changes")
                .baseUnit("pages")
                .tag("mode", mode.code())
                .register(registry);
    }

    private static int parts(Mode mode) {
        return mode == Mode.LIVE ? PARTS - 1 : 1;
    }

    /** So many pages take at most their part of the heap: more could stop the gateway. */
    static int places(Mode mode, long heapBytes) {
        long both = Math.min(
                PAGES_MAX, GatewayMemoryBudget.checkoutPages(heapBytes) / GatewayMemoryBudget.CHECKOUT_PAGE_BYTES);
        return (int) both * parts(mode) / PARTS;
    }

    /**
     * A new page: its current status, and the changes that looks find until the transaction has ended or the stream is too old. The latest
     * status replaces an unsent one.
     */
    Flux<Told> open(TransactionId id, Status status) {
        return Flux.create(
                sink -> {
                    StatusStream page = new StatusStream(sink, status, time.sinceStart());
                    if (!CheckoutPage.isLive(status)) {
                        page.tell(null);
                        page.close();
                    } else if (add(id, page)) {
                        sink.onDispose(() -> remove(id, page));
                        page.tell(spread(RECONNECT));
                        if (closed) {
                            page.close();
                        }
                    } else {
                        page.tell(spread(closed ? RECONNECT : RECONNECT_WITHOUT_PLACE));
                        page.close();
                    }
                },
                FluxSink.OverflowStrategy.LATEST);
    }

    @Override
    protected Duration pause() {
        Duration spaced = spacing.multipliedBy(open.get());
        return spaced.compareTo(EVERY) > 0 ? spaced : EVERY;
    }

    /** Looks at the transactions of all open pages. They keep their status while MongoDB does not answer. */
    @Override
    protected Mono<Void> run() {
        return Flux.fromIterable(List.copyOf(pages.keySet()))
                .buffer(QUERY_MAX)
                .concatMap(batch -> noLongerPending.apply(batch).doOnNext(found -> show(batch, found)))
                .then();
    }

    @Override
    protected void report(Throwable failure) {
        LOG.atWarn()
                .addKeyValue("event.action", "checkout_look_failed")
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("The statuses of open checkout pages could not be read; the next look follows");
    }

    /** @param statuses by transaction; a transaction without an entry has the same status as before */
    private void show(List<TransactionId> lookedAt, Map<TransactionId, Status> statuses) {
        Duration now = time.sinceStart();
        for (TransactionId id : lookedAt) {
            @Nullable Status found = statuses.get(id);
            pages.getOrDefault(id, Set.of()).forEach(page -> page.look(found, now));
        }
    }

    /**
     * Ends all streams, and those of later requests at once. Runs first in a stop, since the HTTP server waits for open streams. The pages
     * connect again, to another gateway.
     */
    @Override
    public void stop() {
        super.stop();
        closed = true;
        pages.values().forEach(ofTransaction -> ofTransaction.forEach(StatusStream::close));
    }

    private boolean add(TransactionId id, StatusStream page) {
        if (closed || open.incrementAndGet() > openMax) {
            open.decrementAndGet();
            return false;
        }
        Set<StatusStream> ofTransaction = pages.compute(id, (key, before) -> {
            Set<StatusStream> set = before == null ? ConcurrentHashMap.newKeySet() : before;
            if (set.size() < TRANSACTION_PAGES_MAX) {
                set.add(page);
            }
            return set;
        });
        boolean added = ofTransaction.contains(page);
        if (!added) {
            open.decrementAndGet();
        }
        return added;
    }

    private void remove(TransactionId id, StatusStream page) {
        pages.computeIfPresent(id, (key, set) -> {
            set.remove(page);
            return set.isEmpty() ? null : set;
        });
        open.decrementAndGet();
    }

    private static Duration spread(Duration shortest) {
        return shortest.plusMillis(ThreadLocalRandom.current().nextLong(shortest.toMillis()));
    }

    /** A page's stream of statuses. The request that opens it and the looks at all pages use it at the same time. */
    static final class StatusStream {

        /** The page takes the stream for lost after 75 s. Each event costs the gateway about 20 µs. */
        private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
        /** Then the gateway ends the stream. A page that is still open connects again; one whose client has vanished does not. */
        private static final Duration AGE_MAX = Duration.ofMinutes(15);

        private final FluxSink<Told> sink;
        private final Duration openedAt;
        private Status status;
        private Duration toldAt;

        StatusStream(FluxSink<Told> sink, Status status, Duration now) {
            this.sink = sink;
            this.openedAt = now;
            this.status = status;
            this.toldAt = now;
        }

        /** Tells a change, or after a silence the same status again. */
        synchronized void look(@Nullable Status found, Duration now) {
            Status current = found == null ? status : found;
            if (current != status || hasPassed(SILENCE_MAX, toldAt, now)) {
                status = current;
                tell(null);
                toldAt = now;
            }
            if (!CheckoutPage.isLive(current) || hasPassed(AGE_MAX, openedAt, now)) {
                sink.complete();
            }
        }

        /** Tells the latest status, which a look may have found after the request did. */
        synchronized void tell(@Nullable Duration reconnectAfter) {
            sink.next(new Told(status, reconnectAfter));
        }

        synchronized void close() {
            sink.complete();
        }

        private static boolean hasPassed(Duration span, Duration since, Duration now) {
            return now.minus(since).compareTo(span) >= 0;
        }
    }

    /**
     * What an open page is told.
     *
     * @param reconnectAfter how long the page waits after its stream ends before it asks again; null: as it was told before
     */
    record Told(Status status, @Nullable Duration reconnectAfter) {}
}
