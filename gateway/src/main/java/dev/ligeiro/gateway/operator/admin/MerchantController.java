package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.store.merchant.Merchant;
import dev.ligeiro.gateway.store.merchant.MerchantLimits;
import dev.ligeiro.gateway.store.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /admin/merchants}: makes, lists, shows and changes merchants, with their fees, limits, expiry and platforms. */
@Component
class MerchantController implements ManagementRoutes {

    private static final String ALL = "/admin/merchants";
    private static final String ONE = ALL + "/{id}";
    private static final String PLATFORMS = ONE + "/platforms";
    private static final String CITY_DEFAULT = "SAO PAULO";
    private static final int PLATFORM_NAME_MAX = 100;

    private final AdminRoutes routes;
    private final AdministerMerchants merchants;

    MerchantController(AdminRoutes routes, AdministerMerchants merchants) {
        this.routes = routes;
        this.merchants = merchants;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.patchJson(ONE, this::change),
                routes.putJson(ONE + "/fees", this::setFees),
                routes.putJson(ONE + "/limits", this::setLimits),
                routes.putJson(ONE + "/expiry", this::setExpiry),
                routes.postJson(PLATFORMS, this::addPlatform),
                routes.get(PLATFORMS, this::listPlatforms),
                routes.get(PLATFORMS + "/{platform_id}", this::showPlatform));
    }

    /** {@code {name, city?, fees?}} */
    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        String name = MerchantFields.name(fields);
        String city = MerchantFields.optionalBrCodeText(fields, "city");
        Map<Operation, Commission> fees = MerchantFields.fees(fields.optionalObject("fees"));
        fields.orThrow();
        return merchants
                .create(requireNonNull(name), city == null ? CITY_DEFAULT : city, fees)
                .flatMap(made -> AdminResponse.created(ALL + "/" + made.id(), MerchantJson.of(made)));
    }

    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        return merchants
                .page(AdminIds.after(request))
                .flatMap(page -> AdminResponse.page("merchants", page.map(MerchantJson::of)));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return merchants
                .merchant(AdminIds.merchant(request))
                .flatMap(merchant -> AdminResponse.ok(MerchantJson.of(merchant)));
    }

    /** {@code {name?, city?}}: a field that is absent stays as it is. */
    private Mono<ServerResponse> change(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        String name = MerchantFields.optionalBrCodeText(fields, "name");
        String city = MerchantFields.optionalBrCodeText(fields, "city");
        fields.orThrow();
        return merchants.change(id, name, city).then(Mono.defer(() -> show(request, operator)));
    }

    private Mono<ServerResponse> setFees(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        Map<Operation, Commission> fees = MerchantFields.fees(fields);
        fields.orThrow();
        return noContent(merchants.setFees(id, fees));
    }

    private Mono<ServerResponse> setLimits(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        MerchantLimits limits = MerchantFields.limits(fields);
        fields.orThrow();
        return noContent(merchants.setLimits(id, limits));
    }

    /** {@code {expires_in?}}; without it, the installation's default applies again. */
    private Mono<ServerResponse> setExpiry(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        Duration expiresIn = fields.expiresIn();
        fields.orThrow();
        return noContent(merchants.setExpiry(id, expiresIn));
    }

    /** {@code {name, mode}} */
    private Mono<ServerResponse> addPlatform(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminIds.merchant(request);
        Fields fields = new Fields(body);
        String name = fields.requiredText("name", PLATFORM_NAME_MAX);
        Mode mode = MerchantFields.mode(fields);
        fields.orThrow();
        return merchants
                .addPlatform(id, requireNonNull(name), requireNonNull(mode))
                .flatMap(added -> AdminResponse.created(request.path() + "/" + added.id(), PlatformJson.of(added)));
    }

    private Mono<ServerResponse> listPlatforms(ServerRequest request, Operator operator) {
        return merchants
                .platforms(AdminIds.merchant(request), AdminIds.after(request))
                .flatMap(page -> AdminResponse.page("platforms", page.map(PlatformJson::of)));
    }

    private Mono<ServerResponse> showPlatform(ServerRequest request, Operator operator) {
        return merchants
                .platform(AdminIds.merchant(request), AdminIds.id(request, "platform_id"))
                .flatMap(platform -> AdminResponse.ok(PlatformJson.of(platform)));
    }

    private static Mono<ServerResponse> noContent(Mono<Void> change) {
        return change.then(ServerResponse.noContent().build());
    }

    private record PlatformJson(UUID id, String name, String mode) {

        static PlatformJson of(Merchant.Platform platform) {
            return new PlatformJson(
                    platform.id(), platform.name(), platform.mode().code());
        }
    }

    /** Fees and limits have the form of the requests that set them. */
    private record MerchantJson(
            UUID id,
            String name,
            String city,
            Map<String, FeeJson> fees,
            LimitsJson limits,
            @Nullable Long expiresIn,
            Instant createdAt) {

        static MerchantJson of(Merchant merchant) {
            Map<String, FeeJson> fees = new LinkedHashMap<>();
            merchant.fees().forEach((operation, fee) -> fees.put(operation.code(), FeeJson.of(fee)));
            return new MerchantJson(
                    merchant.id(),
                    merchant.name(),
                    merchant.city(),
                    fees,
                    LimitsJson.of(merchant.limits()),
                    merchant.expiresInSeconds(),
                    merchant.createdAt());
        }
    }

    private record FeeJson(String percent, String fixed) {

        static FeeJson of(Merchant.StoredFee fee) {
            BigDecimal percent = BigDecimal.valueOf(fee.millionths(), MerchantFields.PERCENT_TO_MILLIONTHS);
            return new FeeJson(percent.toPlainString(), new Amount(fee.fixedCents()).toString());
        }
    }

    private record LimitsJson(
            AmountsJson cashin,
            AmountsJson cashout,
            @Nullable Integer readsPerSecond,
            @Nullable Integer writesPerSecond) {

        static LimitsJson of(MerchantLimits limits) {
            return new LimitsJson(
                    AmountsJson.of(limits.amounts(Operation.CASHIN)),
                    AmountsJson.of(limits.amounts(Operation.CASHOUT)),
                    limits.readsPerSecond(),
                    limits.writesPerSecond());
        }
    }

    private record AmountsJson(@Nullable String amountMin, @Nullable String amountMax) {

        static AmountsJson of(AmountRange range) {
            return new AmountsJson(text(range.minCents()), text(range.maxCents()));
        }

        private static @Nullable String text(@Nullable Long cents) {
            return cents == null ? null : new Amount(cents).toString();
        }
    }
}
