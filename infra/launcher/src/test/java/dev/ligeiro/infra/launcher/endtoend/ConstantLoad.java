package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Creates transactions at a constant rate, and pays those that a payer pays. Like a merchant who wants each of them once, it repeats a
 * request that gets a 503 or no answer, with the same {@code Idempotency-Key}, until it succeeds.
 *
 * @param <K> the kind of a transaction to create, such as a cashin
 */
final class ConstantLoad<K extends ConstantLoad.Kind> implements AutoCloseable {

    private static final int IN_FLIGHT_MAX = 512;
    private static final Duration REPEATED_AFTER = Duration.ofSeconds(1);
    private static final int NO_ANSWER = 0;

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    private final AtomicInteger begun = new AtomicInteger();
    private final Map<String, Created<K>> created = new ConcurrentHashMap<>();
    private final Queue<Try> tries = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> unexpected = new ConcurrentLinkedQueue<>();
    private final EndToEndMerchant merchant;
    private final IntFunction<K> kinds;
    private final Future<?> arrivals;

    /** A transaction that is to be created. */
    interface Kind {

        /** The path of the request. */
        String path();

        Map<String, Object> request(EndToEndMerchant merchant);

        /** The request with which the payer pays the transaction; null for a transaction without a payer. */
        HttpRequest.@Nullable Builder payment(EndToEndMerchant merchant, JsonNode created);
    }

    /**
     * One request to create a transaction.
     *
     * @param status 0 without an answer
     */
    record Try(Instant endedAt, int status, Duration took) {}

    /** A transaction whose creation was acknowledged at {@code at}. */
    record Created<K>(K kind, Instant at) {}

    /** @param kinds by the number of the transaction; the first is 1 */
    ConstantLoad(EndToEndMerchant merchant, int perSecond, IntFunction<K> kinds) {
        this.merchant = merchant;
        this.kinds = kinds;
        arrivals = clock.scheduleAtFixedRate(this::next, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    }

    private void next() {
        if (!inFlight.tryAcquire()) {
            return; // an outage
        }
        int number = begun.incrementAndGet();
        K kind = kinds.apply(number);
        HttpRequest.Builder request = merchant.api()
                .json("POST", kind.path(), kind.request(merchant))
                .header("Idempotency-Key", "create-" + number);
        repeat(request, true, answer -> {
            created.put(answer.transactionId(), new Created<>(kind, Instant.now()));
            HttpRequest.Builder payment = kind.payment(merchant, answer.transaction());
            if (payment == null) {
                inFlight.release();
            } else {
                repeat(payment, false, paid -> inFlight.release());
            }
        });
    }

    /** Asks for a refund of a transaction that is paid. */
    void refund(String id, Map<String, ?> request) {
        inFlight.acquireUninterruptibly();
        HttpRequest.Builder refund = merchant.api()
                .json("POST", MerchantApi.transactionPath(id) + "/refund", request)
                .header("Idempotency-Key", "refund-" + id);
        repeat(refund, false, answer -> inFlight.release());
    }

    /** Defends the merchant in a dispute, which the bank may close meanwhile. */
    void defend(String dispute) {
        inFlight.acquireUninterruptibly();
        HttpRequest.Builder defense = merchant.api()
                .json("POST", "/api/v1/disputes/" + dispute + "/defense", Map.of("text", "It was delivered"))
                .header("Idempotency-Key", "defense-" + dispute);
        repeat(defense, false, answer -> inFlight.release());
    }

    /** @param creates whether the request is among the tries */
    private void repeat(HttpRequest.Builder request, boolean creates, Consumer<Answer> done) {
        Instant sentAt = Instant.now();
        Api.sendAsync(request).whenComplete((answer, failure) -> {
            if (creates) {
                Instant now = Instant.now();
                int status = answer == null ? NO_ANSWER : answer.status();
                tries.add(new Try(now, status, Duration.between(sentAt, now)));
            }
            if (answer != null && (answer.status() / 100 == 2 || isRefundedByItsRail(answer) || isOver(answer))) {
                done.accept(answer);
            } else if (answer == null || isRefusal(answer) || isTooEarly(answer)) {
                clock.schedule(
                        () -> repeat(request, creates, done), pause(answer).toMillis(), TimeUnit.MILLISECONDS);
            } else {
                unexpected.add(answer);
                inFlight.release();
            }
        });
    }

    /** As the answer says. One gateway that is starting again on a busy machine gets 500 requests a second at most. */
    private static Duration pause(@Nullable Answer answer) {
        return answer == null || answer.header("Retry-After").isEmpty()
                ? REPEATED_AFTER
                : Duration.ofSeconds(Long.parseLong(answer.header("Retry-After")));
    }

    private static boolean isRefusal(Answer answer) {
        return answer.status() == 503
                && answer.header("Retry-After").matches("[1-9]\\d*")
                && List.of("unavailable", "overloaded", "qr_code_unavailable").contains(answer.text("code"));
    }

    /** The payer has scanned a code whose charge the bank does not have yet. */
    private static boolean isTooEarly(Answer answer) {
        return answer.status() == 409 && answer.text("error").equals("location_without_charge");
    }

    /** The rail has refunded the payment by itself before the merchant asked for it. */
    private static boolean isRefundedByItsRail(Answer answer) {
        return answer.status() == 409
                && answer.request().endsWith("/refund")
                && (answer.text("code").equals("refund_exceeds_amount")
                        || answer.text("from").equals("refund"));
    }

    /** The bank has closed the claim before its defence. */
    private static boolean isOver(Answer answer) {
        return answer.status() == 409
                && answer.request().endsWith("/defense")
                && answer.text("code").equals("dispute_closed");
    }

    /** Returns when {@code count} more transactions are acknowledged. */
    void awaitMore(int count) {
        int wanted = created.size() + count;
        await().atMost(Duration.ofMinutes(2)).until(() -> created.size() >= wanted);
    }

    /**
     * Begins no more transactions, waits until each begun one is acknowledged and paid, and returns all by id. Each response other than a
     * success must have been a 503 with Retry-After.
     */
    Map<String, Created<K>> end(Duration within) {
        arrivals.cancel(false);
        await("every request succeeds").atMost(within).until(() -> inFlight.availablePermits() == IN_FLIGHT_MAX);
        assertThat(unexpected).isEmpty();
        return Map.copyOf(created);
    }

    /** The acknowledged transactions so far, by id. */
    Map<String, Created<K>> created() {
        return created;
    }

    /** The requests that ended in this time. */
    List<Try> tries(Instant from, Instant until) {
        return tries.stream()
                .filter(each -> !each.endedAt().isBefore(from) && each.endedAt().isBefore(until))
                .toList();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** The time from a fault until a system under load is whole again. */
    record Recovery(ConstantLoad<?> load, ChangeReceiver receiver) {

        /** Waits until a transaction that is created from now on is announced. */
        void awaitAnnounced(Duration within) {
            Instant now = Instant.now();
            await("announced").atMost(within).until(() -> load.created().entrySet().stream()
                    .anyMatch(each -> each.getValue().at().isAfter(now)
                            && receiver.announced().containsKey(new Change(each.getKey(), 1))));
        }

        static void print(String fault, Instant from) {
            double seconds = Duration.between(from, Instant.now()).toMillis() / 1e3;
            System.out.printf("%s %s, recovered after %.1f s%n", from, fault, seconds);
        }
    }
}
