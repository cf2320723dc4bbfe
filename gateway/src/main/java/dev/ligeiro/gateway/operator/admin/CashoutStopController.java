package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.store.merchant.CashoutGuardStore;
import dev.ligeiro.gateway.store.merchant.LiveMode;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.gateway.store.merchant.StopStore;
import dev.ligeiro.gateway.store.merchant.Stops;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/cashouts-stop} stops cashouts of a merchant, a rail, or all; {@code /admin/merchants/{id}/freeze} and {@code /unfreeze} a
 * merchant's refunds too. The live cashouts of a new merchant begin stopped. The processors deny stopped cashouts. What is submitted goes on.
 * A change takes effect everywhere within 5 seconds.
 */
@Component
class CashoutStopController implements ManagementRoutes {

    private static final String PATH = "/admin/cashouts-stop";
    private static final String MERCHANT = "/admin/merchants/{id}";
    private static final int RAIL_MAX = 100;
    private static final int REASON_MAX = 255;
    private static final int NOT_OPENED_MAX = 1_000;

    private final AdminRoutes routes;
    private final StopStore store;
    private final Stops stops;
    private final MerchantStore merchants;
    private final CashoutGuardStore guards;
    private final MerchantNames names;
    private final LiveMode liveMode;
    private final Clock clock;

    CashoutStopController(
            AdminRoutes routes,
            StopStore store,
            Stops stops,
            MerchantStore merchants,
            CashoutGuardStore guards,
            MerchantNames names,
            LiveMode liveMode,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.stops = stops;
        this.merchants = merchants;
        this.guards = guards;
        this.names = names;
        this.liveMode = liveMode;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.putJsonByBody(PATH, this::change),
                routes.get(PATH, this::show),
                routes.postJson(MERCHANT + "/freeze", this::freeze),
                routes.postJson(MERCHANT + "/unfreeze", Role.MONEY, this::unfreeze));
    }

    /** {@code {stopped, rail?, merchant?, reason}}: without a rail those of all rails, without a merchant those of all merchants. */
    private Mono<ServerResponse> change(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        boolean stopped = fields.requiredBoolean("stopped");
        String rail = fields.optionalText("rail", RAIL_MAX);
        UUID merchantId = fields.optionalParsed("merchant", Fields::uuid);
        fields.refuseEmpty("rail", "merchant");
        String reason = fields.requiredText("reason", REASON_MAX);
        if (stopped && rail != null && !rail.equals(RailProperties.SIMULATOR) && !liveMode.hasRail(rail)) {
            fields.reject(new FieldError(
                    "rail", "unknown", "expected " + RailProperties.SIMULATOR + " or a rail of ligeiro.rails.routes"));
        }
        fields.orThrow();
        operator.require(stopped ? Role.OPERATE : Role.MONEY);
        Mono<Void> changed = stopped
                ? stop(rail, merchantId, requireNonNull(reason), operator)
                : store.resume(Stop.cashoutsId(rail, merchantId))
                        .then(rail == null && merchantId != null ? open(merchantId) : Mono.empty());
        return changed.then(Mono.defer(() -> show(request, operator)));
    }

    private Mono<Void> stop(@Nullable String rail, @Nullable UUID merchantId, String reason, Operator operator) {
        if (merchantId == null) {
            return store.stop(Stop.ofCashouts(rail, null, reason, operator.name(), now()));
        }
        return merchants
                .merchant(merchantId)
                .switchIfEmpty(Mono.error(() -> Problem.invalid(
                        List.of(new FieldError("merchant", "unknown", "expected the id of a merchant")))))
                .flatMap(merchant -> store.stop(Stop.ofCashouts(rail, merchant, reason, operator.name(), now())));
    }

    private Mono<Void> open(UUID merchantId) {
        return merchants.merchant(merchantId).flatMap(merchant -> guards.open(Tenant.of(merchant.number(), Mode.LIVE)));
    }

    /** The stops, the merchants that are not opened yet, and the frozen ones. */
    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return stops.read()
                .flatMap(all -> Mono.zip(json(all, Stop::isOfCashouts), notOpened(), json(all, Stop::isFrozen)))
                .flatMap(read -> AdminResponse.ok(new StopsJson(
                        Stream.concat(read.getT1().stream(), read.getT2().stream())
                                .toList(),
                        read.getT3())));
    }

    private Mono<List<NamedStopJson>> json(List<Stop> stops, Predicate<Stop> which) {
        List<Stop> selected = stops.stream().filter(which).toList();
        return names.ofIds(
                        new AdminPage<>(selected, null),
                        Stop::merchantId,
                        (stop, merchant) -> new NamedStopJson(StopJson.of(stop), merchant))
                .map(AdminPage::items);
    }

    private Mono<List<NamedStopJson>> notOpened() {
        return guards.notOpened(NOT_OPENED_MAX)
                .flatMap(tenants -> merchants.byNumber(
                        tenants.stream().map(Tenant::merchantNumber).toList()))
                .map(found -> found.values().stream()
                        .sorted(Comparator.comparing(Merchant::number).reversed())
                        .map(merchant -> new NamedStopJson(StopJson.ofNew(merchant), NamedMerchant.of(merchant)))
                        .toList());
    }

    /** {@code {reason}} */
    private Mono<ServerResponse> freeze(ServerRequest request, Operator operator, ObjectNode body) {
        String reason = reason(body);
        return merchant(request).flatMap(merchant -> store.stop(Stop.frozen(merchant, reason, operator.name(), now()))
                .then(Mono.defer(() -> frozen(merchant))));
    }

    /** {@code {reason}}, which the audit keeps. */
    private Mono<ServerResponse> unfreeze(ServerRequest request, Operator operator, ObjectNode body) {
        reason(body);
        return merchant(request).flatMap(merchant -> store.resume(Stop.frozenId(merchant.id()))
                .then(Mono.defer(() -> frozen(merchant))));
    }

    private static String reason(ObjectNode body) {
        Fields fields = new Fields(body);
        String reason = fields.requiredText("reason", REASON_MAX);
        fields.orThrow();
        return requireNonNull(reason);
    }

    private Mono<Merchant> merchant(ServerRequest request) {
        return merchants.merchant(AdminRoutes.merchantId(request)).switchIfEmpty(Mono.error(AdminRoutes::notFound));
    }

    private Mono<ServerResponse> frozen(Merchant merchant) {
        return stops.read().flatMap(all -> {
            Optional<Stop> stop = all.stream()
                    .filter(each -> each.id().equals(Stop.frozenId(merchant.id())))
                    .findFirst();
            return AdminResponse.ok(
                    new FrozenJson(stop.isPresent(), stop.map(StopJson::of).orElse(null)));
        });
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    private record StopsJson(List<NamedStopJson> stops, List<NamedStopJson> frozen) {}

    private record NamedStopJson(@JsonUnwrapped StopJson stop, @JsonUnwrapped NamedMerchant merchant) {}

    private record FrozenJson(boolean frozen, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StopJson since) {}

    /**
     * @param rail null for all; so is {@code merchant}
     * @param mode null for both
     */
    private record StopJson(
            @Nullable String rail,
            @Nullable UUID merchant,
            @Nullable Mode mode,
            String reason,
            String operator,
            Instant at) {

        static StopJson of(Stop stop) {
            return new StopJson(stop.rail(), stop.merchantId(), null, stop.reason(), stop.operator(), stop.at());
        }

        static StopJson ofNew(Merchant merchant) {
            return new StopJson(
                    null, merchant.id(), Mode.LIVE, "a new merchant, not opened yet", "-", merchant.createdAt());
        }
    }
}
