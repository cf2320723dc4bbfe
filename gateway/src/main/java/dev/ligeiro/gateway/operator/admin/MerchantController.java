package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.RateLimits;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.store.merchant.CashoutGuardStore;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Merchant.Platform;
import dev.ligeiro.merchant.Merchant.StoredFee;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.MerchantLimits.AmountRange;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/merchants}: makes, lists, shows and changes merchants, with their fees, limits, expiry and platforms. A change takes effect
 * on this gateway at once, on others within 5 seconds.
 */
@Component
class MerchantController implements ManagementRoutes {

    private static final String ALL = "/admin/merchants";
    private static final String ONE = ALL + "/{id}";
    private static final String PLATFORMS = ONE + "/platforms";
    private static final String CITY_DEFAULT = "SAO PAULO";
    private static final int PLATFORM_NAME_MAX = 100;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final AdminRoutes routes;
    private final MerchantStore store;
    private final CashoutGuardStore guards;
    private final Callers callers;
    private final RateLimits rates;
    private final Amount amountMax;
    private final ZoneId timeZone;
    private final boolean beginStopped;
    private final Clock clock;

    MerchantController(
            AdminRoutes routes,
            MerchantStore store,
            CashoutGuardStore guards,
            Callers callers,
            RateLimits rates,
            GatewayProperties properties,
            @Value("${ligeiro.cashouts.begin-stopped}") boolean beginStopped,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.guards = guards;
        this.callers = callers;
        this.rates = rates;
        this.amountMax = Amount.of(properties.amountMax());
        this.timeZone = properties.timeZone();
        this.beginStopped = beginStopped;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.postJson(ALL, this::create),
                routes.get(ALL, this::list),
                routes.get(ONE, this::show),
                routes.patchJson(ONE, this::change),
                routes.putJson(ONE + "/fees", this::setFees),
                routes.putJson(ONE + "/refunds", this::setRefunds),
                routes.putJsonByBody(ONE + "/limits", this::setLimits),
                routes.putJson(ONE + "/expiry", this::setExpiry),
                routes.postJson(PLATFORMS, this::addPlatform),
                routes.get(PLATFORMS, this::listPlatforms),
                routes.get(PLATFORMS + "/{platform_id}", this::showPlatform));
    }

    /** {@code {name, city?, fees?}}. Its live cashouts begin stopped, unless a setting says otherwise. */
    private Mono<ServerResponse> create(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        String name = MerchantFields.name(fields);
        String city = MerchantFields.optionalBrCodeText(fields, "city");
        Map<Operation, StoredFee> fees = MerchantFields.fees(fields.optionalObject("fees"));
        fields.orThrow();
        return store.nextNumber()
                .map(number -> new Merchant(
                        newId(),
                        number,
                        requireNonNull(name),
                        requireNonNullElse(city, CITY_DEFAULT),
                        fees,
                        null,
                        null,
                        MerchantLimits.NONE,
                        List.of(),
                        Instant.ofEpochMilli(clock.millis())))
                .delayUntil(made -> beginStopped ? guards.begin(liveGuard(made)) : Mono.empty())
                .flatMap(store::insert)
                .flatMap(made -> AdminResponse.created(ALL + "/" + made.id(), MerchantJson.of(made)));
    }

    private CashoutGuard liveGuard(Merchant made) {
        return CashoutGuard.none(Tenant.of(made.number(), Mode.LIVE), timeZone, made.createdAt());
    }

    /** {@code ?name=&number=&after=}: {@code name} is how the name begins, in upper or lower case and with or without accents. */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("name", "number", "after"));
        String name = given.parsed("name", text -> text);
        Long number = given.parsed("number", MerchantController::number);
        UUID after = given.parsed("after", Fields::uuid);
        if (number != null && (name != null || after != null)) {
            given.reject("number", "expected alone");
        }
        given.orThrow();
        Mono<List<Merchant>> found = number == null
                ? store.merchants(name, after, AdminPage.ITEMS_MAX + 1)
                : store.byNumber(List.of(number)).map(one -> List.copyOf(one.values()));
        return found.map(all -> AdminPage.of(all, Merchant::id).map(MerchantJson::of))
                .flatMap(page -> AdminResponse.page("merchants", page));
    }

    private static Long number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("expected the number of a merchant");
        }
        return Long.valueOf(text);
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return merchant(request).flatMap(merchant -> AdminResponse.ok(MerchantJson.of(merchant)));
    }

    /** {@code {name?, city?}}: a field that is absent stays as it is. */
    private Mono<ServerResponse> change(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        String name = MerchantFields.optionalBrCodeText(fields, "name");
        String city = MerchantFields.optionalBrCodeText(fields, "city");
        fields.orThrow();
        return changed(store.change(id, name, city)).then(Mono.defer(() -> show(request, operator)));
    }

    private Mono<ServerResponse> setFees(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        Map<Operation, StoredFee> fees = MerchantFields.fees(fields);
        fields.orThrow();
        return noContent(store.setFees(id, fees));
    }

    /** {@code {commission_returns}} */
    private Mono<ServerResponse> setRefunds(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        boolean commissionReturns = fields.requiredBoolean("commission_returns");
        fields.orThrow();
        return noContent(store.setCommissionReturns(id, commissionReturns));
    }

    /** {@link MerchantFields#limits}; a limit that is raised or removed needs the role money. */
    private Mono<ServerResponse> setLimits(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        MerchantLimits limits = MerchantFields.limits(fields);
        fields.orThrow();
        return merchant(request)
                .doOnNext(
                        merchant -> operator.require(isNarrower(limits, merchant.limits()) ? Role.OPERATE : Role.MONEY))
                .then(noContent(store.setLimits(id, limits)));
    }

    private boolean isNarrower(MerchantLimits limits, MerchantLimits before) {
        return limits.amountsAreWithin(before, amountMax) && rates.areWithin(limits, before);
    }

    /** {@code {expires_in?}}; without it, the installation's default applies again. */
    private Mono<ServerResponse> setExpiry(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        Duration expiresIn = fields.expiresIn();
        fields.orThrow();
        return noContent(store.setExpiry(id, expiresIn));
    }

    /** {@code {name, mode}} */
    private Mono<ServerResponse> addPlatform(ServerRequest request, Operator operator, ObjectNode body) {
        UUID id = AdminRoutes.merchantId(request);
        Fields fields = new Fields(body);
        String name = fields.requiredText("name", PLATFORM_NAME_MAX);
        Mode mode = MerchantFields.mode(fields);
        fields.orThrow();
        Platform platform = new Platform(newId(), requireNonNull(name), requireNonNull(mode));
        return changed(store.addPlatform(id, platform))
                .then(AdminResponse.created(request.path() + "/" + platform.id(), platform));
    }

    /** In the order of their creation. */
    private Mono<ServerResponse> listPlatforms(ServerRequest request, Operator operator) {
        UUID after = AdminPage.after(request);
        return merchant(request)
                .flatMapIterable(Merchant::platforms)
                .skipUntil(platform -> after == null || platform.id().equals(after))
                .skip(after == null ? 0 : 1)
                .take(AdminPage.ITEMS_MAX + 1)
                .collectList()
                .flatMap(found -> AdminResponse.page("platforms", AdminPage.of(found, Platform::id)));
    }

    private Mono<ServerResponse> showPlatform(ServerRequest request, Operator operator) {
        UUID id = AdminRoutes.id(request, "platform_id");
        return merchant(request)
                .flatMapIterable(Merchant::platforms)
                .filter(platform -> platform.id().equals(id))
                .next()
                .switchIfEmpty(Mono.error(AdminRoutes::notFound))
                .flatMap(AdminResponse::ok);
    }

    private Mono<Merchant> merchant(ServerRequest request) {
        return store.merchant(AdminRoutes.merchantId(request)).switchIfEmpty(Mono.error(AdminRoutes::notFound));
    }

    private Mono<ServerResponse> noContent(Mono<Boolean> change) {
        return changed(change).then(ServerResponse.noContent().build());
    }

    /** @param change gives whether there is such a merchant */
    private Mono<Void> changed(Mono<Boolean> change) {
        return change.filter(Boolean::booleanValue)
                .switchIfEmpty(Mono.error(AdminRoutes::notFound))
                .doOnNext(done -> callers.changed())
                .then();
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }

    /** Fees and limits have the form of the requests that set them. */
    private record MerchantJson(
            UUID id,
            long number,
            String name,
            String city,
            Map<String, FeeJson> fees,
            boolean commissionReturns,
            LimitsJson limits,
            @Nullable Long expiresIn,
            Instant createdAt) {

        static MerchantJson of(Merchant merchant) {
            Map<String, FeeJson> fees = new LinkedHashMap<>();
            merchant.fees().forEach((operation, fee) -> fees.put(operation.code(), FeeJson.of(fee)));
            return new MerchantJson(
                    merchant.id(),
                    merchant.number(),
                    merchant.name(),
                    merchant.city(),
                    fees,
                    Boolean.TRUE.equals(merchant.commissionReturns()),
                    LimitsJson.of(merchant.limits()),
                    merchant.expiresInSeconds(),
                    merchant.createdAt());
        }
    }

    private record FeeJson(String percent, String fixed) {

        static FeeJson of(StoredFee fee) {
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
