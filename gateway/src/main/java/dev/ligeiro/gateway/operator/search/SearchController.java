package dev.ligeiro.gateway.operator.search;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.api.show.TransactionStore;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.api.webhook.delivery.DeliveryListStore;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.SearchTokens;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * {@code GET /admin/transactions}: finds transactions by exactly one of {@code id}, {@code e2e_id}, {@code reference} and {@code document}, of all
 * merchants or of one. {@code GET /admin/transactions/{id}}: shows one with its timeline, rail calls and deliveries.
 */
@Component
class SearchController implements ManagementRoutes {

    private static final String ALL = "/admin/transactions";
    private static final List<String> KEYS = List.of("id", "e2e_id", "reference", "document");
    /** Of so many, a search by document gets five days further each time; among more merchants, one must be named. */
    private static final long MERCHANTS_MAX = 5_000;

    private static final int REFERENCE_MAX = 50;

    private final AdminRoutes routes;
    private final SearchStore store;
    private final TokenSearchStore tokens;
    private final MerchantStore merchants;
    private final MerchantNames names;
    private final TransactionStore transactions;
    private final RegisteredEndpointStore endpoints;
    private final DeliveryListStore deliveries;

    SearchController(
            AdminRoutes routes,
            SearchStore store,
            TokenSearchStore tokens,
            MerchantStore merchants,
            MerchantNames names,
            TransactionStore transactions,
            RegisteredEndpointStore endpoints,
            DeliveryListStore deliveries) {
        this.routes = routes;
        this.store = store;
        this.tokens = tokens;
        this.merchants = merchants;
        this.names = names;
        this.transactions = transactions;
        this.endpoints = endpoints;
        this.deliveries = deliveries;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.get(ALL, this::search), routes.getPersonal(ALL + "/{id}", this::show));
    }

    private Mono<ServerResponse> search(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(
                request.queryParams(), Set.of("id", "e2e_id", "reference", "document", "merchant", "after"));
        UUID id = given.parsed("id", Fields::uuid);
        EndToEndId endToEndId = given.parsed("e2e_id", EndToEndId::new);
        String reference = given.parsed("reference", SearchController::reference);
        String document = given.parsed("document", text -> TaxId.parse(text).value());
        UUID merchantId = given.parsed("merchant", Fields::uuid);
        UUID after = given.parsed("after", Fields::uuid);
        if (KEYS.stream().filter(request.queryParams()::containsKey).count() != 1) {
            given.reject("id", "expected exactly one of " + KEYS);
        }
        if (after != null && document == null) {
            given.reject("after", "expected only with document");
        }
        given.orThrow();
        if (document != null) {
            return tenants(merchantId)
                    .flatMap(tenants -> tokens.newest(tenants, SearchTokens.document(document), after))
                    .flatMap(ids -> store.byIds(ids.items()).map(found -> new AdminPage<>(found, ids.next())))
                    .flatMap(this::page);
        }
        Mono<List<FoundTransaction>> found;
        if (id != null) {
            found = ofMerchant(merchantId)
                    .flatMap(tenants -> store.byIds(List.of(id)).map(all -> only(all, tenants)));
        } else if (endToEndId != null) {
            found = ofMerchant(merchantId).flatMap(tenants -> store.byEndToEndId(tenants.orElse(null), endToEndId));
        } else {
            found = tenants(merchantId).flatMap(tenants -> store.byReference(tenants, requireNonNull(reference)));
        }
        return found.map(all -> AdminPage.of(all, FoundTransaction::id)).flatMap(this::page);
    }

    private Mono<ServerResponse> page(AdminPage<FoundTransaction, UUID> found) {
        return names.ofTenants(found, FoundTransaction::tenant, FoundTransactionJson::of)
                .flatMap(page -> AdminResponse.page("transactions", page));
    }

    private static String reference(String text) {
        if (text.codePointCount(0, text.length()) > REFERENCE_MAX) {
            throw new IllegalArgumentException("expected at most " + REFERENCE_MAX + " characters");
        }
        return text;
    }

    private static List<FoundTransaction> only(List<FoundTransaction> all, Optional<List<Tenant>> tenants) {
        return all.stream()
                .filter(one -> tenants.isEmpty() || tenants.get().contains(one.tenant()))
                .toList();
    }

    /** The merchant's tenants; empty for all merchants. */
    private Mono<Optional<List<Tenant>>> ofMerchant(@Nullable UUID merchantId) {
        return merchantId == null
                ? Mono.just(Optional.empty())
                : tenants(merchantId).map(Optional::of);
    }

    /** Fails with a problem 422 if there is no such merchant, or if none is named and there are too many. */
    private Mono<List<Tenant>> tenants(@Nullable UUID merchantId) {
        if (merchantId != null) {
            return merchants
                    .merchant(merchantId)
                    .switchIfEmpty(Mono.error(() -> Problem.invalid(
                            List.of(new FieldError("merchant", "unknown", "expected the id of a merchant")))))
                    .map(merchant -> both(merchant.number()).toList());
        }
        return merchants.lastNumber().map(last -> {
            if (last > MERCHANTS_MAX) {
                throw Problem.invalid(List.of(new FieldError(
                        "merchant",
                        "required",
                        "expected the id of one of more than " + MERCHANTS_MAX + " merchants")));
            }
            return LongStream.rangeClosed(1, last)
                    .boxed()
                    .flatMap(SearchController::both)
                    .toList();
        });
    }

    private static Stream<Tenant> both(long number) {
        return Stream.of(Mode.values()).map(mode -> Tenant.of(number, mode));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        TransactionId id = TransactionId.parse(request.pathVariable("id")).orElseThrow(Problem::transactionNotFound);
        return transactions
                .find(id)
                .switchIfEmpty(Mono.error(Problem::transactionNotFound))
                .flatMap(this::shown)
                .flatMap(AdminResponse::ok);
    }

    private Mono<OperatorTransaction> shown(Transaction transaction) {
        Tenant tenant = transaction.tenant();
        Mono<Optional<Amount>> reserved =
                store.reservation(tenant, transaction.id()).map(Optional::of).defaultIfEmpty(Optional.empty());
        Mono<Map<UUID, WebhookEndpoint>> own = endpoints.all(tenant).collectMap(WebhookEndpoint::id);
        return Mono.zip(names.of(tenant), reserved, own).flatMap(about -> deliveries
                .ofTransaction(about.getT3().keySet(), transaction.id())
                .map(found -> OperatorTransaction.of(
                        transaction, about.getT1(), about.getT2().orElse(null), about.getT3(), found)));
    }
}
