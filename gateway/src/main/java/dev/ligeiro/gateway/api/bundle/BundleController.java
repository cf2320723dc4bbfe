package dev.ligeiro.gateway.api.bundle;

import dev.ligeiro.bundle.Bundle;
import dev.ligeiro.bundle.BundleWriter;
import dev.ligeiro.bundle.SigningKeys;
import dev.ligeiro.gateway.api.change.DisputeStore;
import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.api.statement.StatementStore;
import dev.ligeiro.gateway.api.webhook.DeliveryStore;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.limit.UnsentPages;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code GET /api/v1/transaction/{id}/bundle}: a signed archive of a transaction; and {@code GET /.well-known/jwks.json}, the
 * keys that verify it. A bundle has what its caller may read elsewhere: postings and deliveries only with the scopes for them.
 */
@Component
@Order(1)
class BundleController implements Routes {

    private static final String PATH = "/api/v1/transaction/{id}/bundle";
    private static final String KEYS = "/.well-known/jwks.json";
    private static final MediaType ZIP = new MediaType("application", "zip");
    private static final MediaType KEY_SET = new MediaType("application", "jwk-set+json");
    private static final CacheControl KEYS_CACHED =
            CacheControl.maxAge(Duration.ofHours(1)).cachePublic();

    /** It waits up to 2 s for its turn, and then reads and writes for some 10 ms. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Callers callers;
    private final TransactionStore transactions;
    private final DisputeStore disputes;
    private final StatementStore books;
    private final RegisteredEndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final BundleWriter writer;
    private final SigningKeys keys;
    private final BoundedReads reads;
    private final UnsentPages pages;
    private final FailFast failFast;
    private final Clock clock;

    BundleController(
            Callers callers,
            TransactionStore transactions,
            DisputeStore disputes,
            StatementStore books,
            RegisteredEndpointStore endpoints,
            DeliveryStore deliveries,
            BundleWriter writer,
            SigningKeys keys,
            BoundedReads reads,
            UnsentPages pages,
            FailFast failFast,
            Clock clock) {
        this.callers = callers;
        this.transactions = transactions;
        this.disputes = disputes;
        this.books = books;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.writer = writer;
        this.keys = keys;
        this.reads = reads;
        this.pages = pages;
        this.failFast = failFast;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.download(PATH, callers.with(Scope.TRANSACTIONS_READ), ZIP, this::bundle),
                Route.page(KEYS, this::keys));
    }

    private Mono<ServerResponse> bundle(Request<Caller> request) {
        if (!writer.hasKey()) {
            return Mono.error(Problem.bundlesNotConfigured());
        }
        Tenant tenant = request.caller().tenant();
        return Mono.justOrEmpty(TransactionId.parse(request.http().pathVariable("id")))
                .switchIfEmpty(Mono.error(Problem::transactionNotFound))
                .flatMap(id -> reads.export(tenant, failFast.run(made(request.caller(), id)))
                        .flatMap(zip -> pages.send(tenant, response(id, zip), zip)))
                .timeout(TIMEOUT);
    }

    private static ServerResponse.BodyBuilder response(TransactionId of, byte[] zip) {
        return ServerResponse.ok()
                .contentType(ZIP)
                .contentLength(zip.length)
                .cacheControl(CacheControl.noStore())
                .header(HttpHeaders.CONTENT_DISPOSITION, BundleWriter.disposition(of));
    }

    /** Read and written within the turn of the reads, so that few transactions and bundles are in memory. */
    private Mono<byte[]> made(Caller caller, TransactionId id) {
        return transactions
                .find(caller.tenant(), id)
                .switchIfEmpty(Mono.error(Problem::transactionNotFound))
                .flatMap(found -> written(caller, found));
    }

    /** On a thread that may take its time. */
    private Mono<byte[]> written(Caller caller, Transaction transaction) {
        return Mono.zip(
                        disputes.ofTransaction(caller.tenant(), transaction.id()),
                        permitted(caller, Scope.STATEMENT_READ, books.ofTransaction(transaction)),
                        permitted(caller, Scope.WEBHOOKS_MANAGE, deliveries(transaction)))
                .publishOn(Schedulers.boundedElastic())
                .map(read -> new Bundle(
                        transaction,
                        caller.receiver().name(),
                        read.getT1(),
                        read.getT2().<List<StoredPosting>>orElse(null),
                        read.getT3().orElse(null)))
                .map(bundle -> writer.write(bundle, clock.instant()));
    }

    private static <T> Mono<Optional<T>> permitted(Caller caller, Scope scope, Mono<T> read) {
        return caller.scopes().contains(scope) ? read.map(Optional::of) : Mono.just(Optional.empty());
    }

    private Mono<Bundle.Deliveries> deliveries(Transaction transaction) {
        return endpoints.urls(transaction.tenant()).flatMap(urls -> deliveries
                .ofTransaction(urls.keySet(), transaction.id(), Bundle.Deliveries.MAX + 1)
                .map(found -> Bundle.Deliveries.of(found, urls)));
    }

    private Mono<ServerResponse> keys(ServerRequest request) {
        return ServerResponse.ok()
                .contentType(KEY_SET)
                .cacheControl(KEYS_CACHED)
                .bodyValue(keys.publicKeys());
    }
}
