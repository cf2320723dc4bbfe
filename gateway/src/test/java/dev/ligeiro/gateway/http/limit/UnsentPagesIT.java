package dev.ligeiro.gateway.http.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.gateway.fixture.RawConnection;
import dev.ligeiro.gateway.http.problem.ProblemHandler;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A server whose pages have 10 MB, more than the buffers of the system take. A tenant may have two unsent ones, all tenants together eight. */
class UnsentPagesIT {

    private static final int PAGE_BYTES = 10_000_000;

    private final UnsentPages pages = new UnsentPages(8 * PAGE_BYTES);
    private final DisposableServer server = HttpServer.create()
            .port(0)
            .handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.webHandler(RouterFunctions.toWebHandler(
                            RouterFunctions.route(
                                    RequestPredicates.GET("/{tenant}/{bytes}"),
                                    request -> pages.send(
                                            new Tenant(Long.parseLong(request.pathVariable("tenant"))),
                                            new byte[Integer.parseInt(request.pathVariable("bytes"))])),
                            HandlerStrategies.withDefaults()))
                    .exceptionHandler(new ProblemHandler())
                    .build()))
            .bindNow();
    private final List<RawConnection> connections = new ArrayList<>();

    @AfterEach
    void close() {
        connections.forEach(RawConnection::close);
        server.disposeNow();
    }

    @Test
    void aTenantWithUnreadPagesIsRefusedFurtherOnes() {
        assertThat(get(1)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(get(1)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(get(1)).isEqualTo("HTTP/1.1 429 Too Many Requests");
        assertThat(get(2)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status(1, 1_000)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void moreUnreadPagesThanAllMayHaveAreRefused() {
        for (int i = 0; i < 8; i++) {
            assertThat(get(i / 2)).isEqualTo("HTTP/1.1 200 OK");
        }

        assertThat(get(9)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(status(9, 1_000)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void aPageThatIsReadOrGivenUpLeavesItsPlace() {
        for (int i = 0; i < 20; i++) {
            RawConnection read = open(1, PAGE_BYTES);
            assertThat(read.readResponse()).startsWith("HTTP/1.1 200 OK").hasSizeGreaterThan(PAGE_BYTES);
            assertThat(get(2)).isEqualTo("HTTP/1.1 200 OK");
            connections.remove(connections.size() - 1).close();
            await().untilAsserted(() -> assertThat(pages.unsent()).isZero());
        }
    }

    private String get(long tenant) {
        return status(tenant, PAGE_BYTES);
    }

    private String status(long tenant, int bytes) {
        return open(tenant, bytes).readLine();
    }

    private RawConnection open(long tenant, int bytes) {
        RawConnection connection = new RawConnection(server.port());
        connections.add(connection);
        connection.send("GET /" + tenant + "/" + bytes + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return connection;
    }
}
