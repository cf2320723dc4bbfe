package dev.ligeiro.gateway.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.ConsoleSession;
import dev.ligeiro.gateway.http.html.ApiCalls;
import dev.ligeiro.gateway.http.html.OpenStreams;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class LiveTransactionsTest {

    private static final String ID = "01a1fe4e-0167-796a-8f30-506793ddb17b";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final AtomicInteger asked = new AtomicInteger();
    private final OpenStreams streams = new OpenStreams();
    private final LiveTransactions live = new LiveTransactions(streams);
    private volatile int entries = 1;

    private final ApiCalls api = new ApiCalls(
            () -> List.of(Route.get(
                    "/api/v1/transaction/{id}/history", request -> Mono.just("anybody"), (request, caller) -> {
                        asked.incrementAndGet();
                        return ServerResponse.ok().bodyValue("{\"history\":" + entries + "}");
                    })),
            new ProblemHandler());

    @AfterEach
    void stop() {
        streams.stop();
        VirtualTimeScheduler.reset();
    }

    @Test
    void allPagesOfATransactionShareOneQuestion() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        Disposable one = open(first, 14);
        Disposable other = open(second, 14);

        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(asked).hasValue(2 + 5);
        assertThat(first).containsExactly("changed");
        entries = 2;
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(first).containsExactly("changed", "changed").isEqualTo(second);
        // once more, for the webhooks of the change
        time.advanceTimeBy(Duration.ofSeconds(4));
        assertThat(first).hasSize(3).isEqualTo(second);

        one.dispose();
        other.dispose();
        int before = asked.get();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(asked).hasValue(before);
    }

    @Test
    void thePagesOfAnotherMerchantAskForThemselves() {
        open(new ArrayList<>(), 14);
        open(new ArrayList<>(), 16);

        time.advanceTimeBy(Duration.ofSeconds(10));

        assertThat(asked).hasValue(2 + 10);
    }

    @Test
    void aPageWithoutAPlaceIsToldNothingAndEachModeHasItsOwn() {
        List<String> told = new ArrayList<>();
        List<String> live = new ArrayList<>();
        for (int i = 0; i < LiveTransactions.STREAMS_MAX; i++) {
            open(new ArrayList<>(), 14);
        }
        Disposable last = open(told, 14);
        open(live, 15);

        entries = 2;
        time.advanceTimeBy(Duration.ofSeconds(10));

        assertThat(last.isDisposed()).isTrue();
        assertThat(told).isEmpty();
        assertThat(live).isNotEmpty();
    }

    @Test
    void aStreamEndsWithTheGatewayAndAfterAWhile() {
        Disposable old = open(new ArrayList<>(), 14);
        time.advanceTimeBy(Duration.ofMinutes(16));
        assertThat(old.isDisposed()).isTrue();

        Disposable open = open(new ArrayList<>(), 14);
        streams.stop();
        assertThat(open.isDisposed()).isTrue();
    }

    /** @param told gets the names of the events */
    private Disposable open(List<String> told, long tenant) {
        return live.events(
                        visit(tenant),
                        ID,
                        LiveTransactions.history(visit(tenant), ID)
                                .blockOptional()
                                .orElseThrow())
                .mapNotNull(ServerSentEvent::event)
                .subscribe(told::add);
    }

    private ConsoleVisit visit(long tenant) {
        Instant now = Instant.EPOCH;
        ConsoleSession session = new ConsoleSession(
                UUID.randomUUID(),
                tenant,
                "Shop",
                UUID.randomUUID(),
                "hash",
                List.of(),
                null,
                null,
                null,
                now,
                now,
                now,
                now);
        MockServerWebExchange exchange =
                MockServerWebExchange.from(MockServerHttpRequest.get("http://localhost/console"));
        return new ConsoleVisit(ServerRequest.create(exchange, List.of()), session, api);
    }
}
