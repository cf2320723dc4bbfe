package dev.ligeiro.gateway.operator.admin;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /admin/audit?merchant=&after=} and {@code GET /admin/audit/{id}}: which operator has done what, and when. */
@Component
class AuditController implements ManagementRoutes {

    private final AdminRoutes routes;
    private final AuditStore store;
    private final MerchantNames names;

    AuditController(AdminRoutes routes, AuditStore store, MerchantNames names) {
        this.routes = routes;
        this.store = store;
        this.names = names;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/audit", this::list),
                routes.get("/admin/audit/links", this::links),
                routes.get("/admin/audit/{id}", this::show));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("merchant", "after"));
        UUID merchantId = given.parsed("merchant", Fields::uuid);
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return store.page(merchantId, after)
                .flatMap(page -> names.ofIds(page, AuditEntry::merchantId, AuditJson::new))
                .flatMap(page -> AdminResponse.page("audit", page));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return store.find(AdminRoutes.id(request, "id"))
                .switchIfEmpty(Mono.error(() -> Problem.of(ProblemCode.NOT_FOUND, "There is no such audit entry")))
                .flatMap(entry ->
                        names.ofIds(new AdminPage<>(List.of(entry), null), AuditEntry::merchantId, AuditJson::new))
                .flatMap(page -> AdminResponse.ok(page.items().get(0)));
    }

    /** {@code ?after=}: all entries, the oldest first, by their links only, and the digests of what is stored now. */
    private Mono<ServerResponse> links(ServerRequest request, Operator operator) {
        return store.oldest(AdminPage.after(request), AdminPage.ITEMS_MAX + 1)
                .flatMap(found -> AdminResponse.page(
                        "links", AdminPage.of(found, AuditEntry::id).map(LinksJson::of)));
    }

    /** @param heads the ends of other chains, in the first entry of a chain */
    private record LinksJson(
            UUID id, Instant at, @Nullable LinkJson begun, @Nullable LinkJson ended, List<AuditLink.Head> heads) {

        private static final JsonMapper JSON = new JsonMapper();

        static LinksJson of(AuditEntry entry) {
            AuditLink begun = entry.begun();
            AuditLink ended = entry.ended();
            boolean isFirst = entry.action().equals(AuditStore.CHAIN_BEGUN) && entry.body() != null;
            return new LinksJson(
                    entry.id(),
                    entry.at(),
                    begun == null ? null : new LinkJson(begun, AuditLink.digestOfBegun(entry)),
                    ended == null ? null : new LinkJson(ended, AuditLink.digestOfEnded(entry)),
                    isFirst ? heads(entry.body()) : List.of());
        }

        /** A damaged body has none: its digest tells. */
        private static List<AuditLink.Head> heads(@Nullable String body) {
            try {
                return JSON.readValue(body, AuditLink.Heads.class).heads();
            } catch (JacksonException damaged) {
                return List.of();
            }
        }
    }

    private record LinkJson(@JsonUnwrapped AuditLink link, String digest) {}

    private record AuditJson(@JsonUnwrapped AuditEntry entry, @JsonUnwrapped NamedMerchant merchant) {}
}
