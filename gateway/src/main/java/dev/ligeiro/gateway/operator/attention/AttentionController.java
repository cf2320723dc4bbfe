package dev.ligeiro.gateway.operator.attention;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.attention.AttentionStore.PageCursor;
import dev.ligeiro.gateway.operator.attention.AttentionStore.UnmatchedItem;
import dev.ligeiro.gateway.operator.attention.AttentionStore.UnsettledCall;
import dev.ligeiro.gateway.operator.attention.AttentionStore.UnsettledItem;
import dev.ligeiro.gateway.operator.search.FoundTransaction;
import dev.ligeiro.gateway.operator.search.FoundTransactionJson;
import dev.ligeiro.gateway.operator.search.SearchStore;
import dev.ligeiro.gateway.store.merchant.LiveMode;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code GET /admin/unsettled?older_than=&after=} and {@code GET /admin/unmatched-payments?state=&e2e_id=&after=}. */
@Component
class AttentionController implements ManagementRoutes {

    private static final Duration OLDER_THAN_DEFAULT = Duration.ofMinutes(10);
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final AdminRoutes routes;
    private final AttentionStore store;
    private final SearchStore search;
    private final MerchantNames names;
    private final LiveMode liveMode;
    private final Clock clock;

    AttentionController(
            AdminRoutes routes,
            AttentionStore store,
            SearchStore search,
            MerchantNames names,
            LiveMode liveMode,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.search = search;
        this.names = names;
        this.liveMode = liveMode;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/unsettled", this::unsettled),
                routes.get("/admin/unmatched-payments", this::unmatched));
    }

    private Mono<ServerResponse> unsettled(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("older_than", "after"));
        Duration olderThan = given.parsed("older_than", AttentionController::seconds);
        PageCursor after = given.parsed("after", AttentionController::transaction);
        given.orThrow();
        Instant now = clock.instant();
        return store.unsettled(now, olderThan == null ? OLDER_THAN_DEFAULT : olderThan, after)
                .flatMap(page -> names.ofTenants(
                        page,
                        item -> item.transaction().tenant(),
                        (item, merchant) -> UnsettledJson.of(item, merchant, now)))
                .flatMap(page -> AdminResponse.page("unsettled", page));
    }

    private Mono<ServerResponse> unmatched(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("state", "e2e_id", "after"));
        Boolean resolved = given.parsed("state", AttentionController::isResolved);
        String endToEndId = given.parsed("e2e_id", text -> text);
        PageCursor after = given.parsed("after", PageCursor::parse);
        if (endToEndId != null && (resolved != null || after != null)) {
            given.reject("e2e_id", "expected alone");
        }
        given.orThrow();
        Mono<AdminPage<UnmatchedItem, PageCursor>> found = endToEndId == null
                ? store.unmatched(clock.instant(), Boolean.TRUE.equals(resolved), after)
                : store.unmatched(clock.instant(), rails(), endToEndId);
        return found.flatMap(this::named).flatMap(page -> AdminResponse.page("unmatched_payments", page));
    }

    private Set<String> rails() {
        Set<String> rails = new HashSet<>(liveMode.rails());
        rails.add(RailProperties.SIMULATOR);
        return rails;
    }

    /** With the merchant of the transaction that the rail named, if there is one. */
    private Mono<AdminPage<UnmatchedJson, PageCursor>> named(AdminPage<UnmatchedItem, PageCursor> page) {
        List<UUID> ids = page.items().stream().map(UnmatchedItem::transactionId).toList();
        return search.all(ids).flatMap(found -> {
            Function<UnmatchedItem, @Nullable Tenant> tenant = item -> {
                FoundTransaction named = found.get(item.transactionId());
                return named == null ? null : named.tenant();
            };
            return names.ofTenants(
                    page, tenant, (item, merchant) -> new UnmatchedJson(item, merchant, mode(tenant.apply(item))));
        });
    }

    private static @Nullable Mode mode(@Nullable Tenant tenant) {
        return tenant == null ? null : tenant.mode();
    }

    private static Boolean isResolved(String text) {
        return switch (text) {
            case "open" -> false;
            case "resolved" -> true;
            default -> throw new IllegalArgumentException("expected open or resolved");
        };
    }

    private static Duration seconds(String text) {
        if (!SECONDS.matcher(text).matches()) {
            throw new IllegalArgumentException("expected a number of seconds, at most 999999999");
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    /** @param since since when the outcome has been unknown */
    private record UnsettledJson(
            @JsonUnwrapped FoundTransactionJson transaction,
            String rail,
            Instant since,
            long ageSeconds,
            List<UnsettledCall> calls) {

        static UnsettledJson of(UnsettledItem item, NamedMerchant merchant, Instant now) {
            return new UnsettledJson(
                    FoundTransactionJson.of(item.transaction(), merchant),
                    item.rail(),
                    item.since(),
                    Duration.between(item.since(), now).toSeconds(),
                    item.calls());
        }
    }

    private record UnmatchedJson(
            @JsonUnwrapped UnmatchedItem payment, @JsonUnwrapped NamedMerchant merchant, @Nullable Mode mode) {}

    static PageCursor transaction(String text) {
        PageCursor cursor = PageCursor.parse(text);
        if (TransactionId.parse(cursor.id()).isEmpty()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return cursor;
    }
}
