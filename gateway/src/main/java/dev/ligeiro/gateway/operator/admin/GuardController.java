package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.request.AmountField;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.store.merchant.CashoutGuardStore;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.message.Topics;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.CashoutGuard.CountLimit;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/merchants/{id}/guard}: what a merchant's cashouts in one mode may be. A change is answered when every processor decides by it.
 */
@Component
class GuardController implements ManagementRoutes {

    private static final String PATH = "/admin/merchants/{id}/guard";
    private static final int COUNT_MAX = 1_000_000;
    private static final int ALLOWED_MAX = 1_000;
    private static final Duration WINDOW_MAX = Duration.ofDays(31);
    private static final int EVP_LENGTH = 36;

    /** Then a processor writes them, and the first count of reservations finds what they lack. */
    private static final Duration BOOKS_BEHIND_MAX = Duration.ofMinutes(10);

    private final AdminRoutes routes;
    private final CashoutGuardStore store;
    private final MerchantStore merchants;
    private final CommittedOffsets offsets;
    private final String books;
    private final GatewayProperties properties;
    private final Duration answerAfter;
    private final Clock clock;

    GuardController(
            AdminRoutes routes,
            CashoutGuardStore store,
            MerchantStore merchants,
            CommittedOffsets offsets,
            @Value("${ligeiro.books.consumer-group}") String books,
            GatewayProperties properties,
            @Value("${ligeiro.guard.answer-after}") Duration answerAfter,
            Clock clock) {
        this.routes = routes;
        this.store = store;
        this.merchants = merchants;
        this.offsets = offsets;
        this.books = books;
        this.properties = properties;
        this.answerAfter = answerAfter;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.putJson(PATH, Role.MONEY, Route.TIMEOUT.plus(answerAfter), this::replace),
                routes.get(PATH, this::show));
    }

    /**
     * {@code {mode, day_max?, night_max?, amount_max?, approval_above?, count_max?, window_seconds?, funds_check?, allowed_keys?,
     * allowed_documents?}}: an absent field means no limit.
     */
    private Mono<ServerResponse> replace(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        Mode mode = MerchantFields.mode(fields);
        Amount dayMax = AmountField.optional(fields, "day_max", Amount.MAX);
        Amount nightMax = AmountField.optional(fields, "night_max", Amount.MAX);
        Amount amountMax = AmountField.optional(fields, "amount_max", Amount.MAX);
        Amount approvalAbove = AmountField.optional(fields, "approval_above", Amount.MAX);
        CountLimit count = count(fields);
        Set<String> keys = allowed(fields, "allowed_keys", GuardController::key);
        Set<String> documents =
                allowed(fields, "allowed_documents", text -> TaxId.parse(text).value());
        boolean fundsCheck = fields.optionalBoolean("funds_check", false);
        fields.orThrow();
        return merchant(request)
                .map(merchant -> Tenant.of(merchant.number(), requireNonNull(mode)))
                .delayUntil(tenant -> fundsCheck ? booksFollow() : Mono.empty())
                // the totals are counted 10 s after this time, which must be that of the write
                .map(tenant -> new CashoutGuard(
                        tenant,
                        dayMax,
                        nightMax,
                        amountMax,
                        approvalAbove,
                        count,
                        fundsCheck,
                        keys,
                        documents,
                        properties.timeZone(),
                        Instant.ofEpochMilli(clock.millis())))
                .flatMap(guard -> store.find(guard.tenant())
                        .map(before -> continued(before, guard))
                        .defaultIfEmpty(guard))
                .flatMap(guard ->
                        store.set(guard).then(Mono.delay(answerAfter)).then(AdminResponse.ok(GuardJson.of(guard))));
    }

    /** Without the books, a check of funds would never see the money of a cashin. */
    private Mono<Void> booksFollow() {
        return offsets.hasPassed(books, Topics.EVENTS, clock.instant().minus(BOOKS_BEHIND_MAX))
                .onErrorReturn(false)
                .filter(follow -> follow)
                .switchIfEmpty(
                        Mono.error(
                                () -> Problem.invalid(
                                        List.of(
                                                FieldError.invalid(
                                                        "funds_check",
                                                        "the books are more than 10 minutes behind, or Kafka does not answer; a processor must write them")))))
                .then();
    }

    /** With the totals of the guard before, if they go on: the cashouts have been counted since then, in the same days and windows. */
    private static CashoutGuard continued(CashoutGuard before, CashoutGuard after) {
        Duration window = before.count() == null ? null : before.count().window();
        boolean goesOn = before.hasTotals()
                && before.fundsCheck() == after.fundsCheck()
                && before.zone().equals(after.zone())
                && (after.count() == null || after.count().window().equals(window));
        Instant later = before.totalsSince().plusMillis(1);
        Instant since = after.totalsSince().isBefore(later) ? later : after.totalsSince();
        return new CashoutGuard(
                after.tenant(),
                after.dayMax(),
                after.nightMax(),
                after.amountMax(),
                after.approvalAbove(),
                after.count(),
                after.fundsCheck(),
                after.keys(),
                after.documents(),
                after.zone(),
                goesOn ? before.totalsSince() : since);
    }

    /** {@code ?mode=}: the guard of that mode; without it, those of both. */
    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("mode"));
        Mode mode = given.parsed("mode", MerchantFields::mode);
        given.orThrow();
        return merchant(request)
                .flatMap(merchant -> Flux.fromIterable(mode == null ? List.of(Mode.values()) : List.of(mode))
                        .concatMap(each -> json(Tenant.of(merchant.number(), each)))
                        .collectList())
                .flatMap(guards -> AdminResponse.ok(mode == null ? new GuardsJson(guards) : guards.get(0)));
    }

    private Mono<GuardJson> json(Tenant tenant) {
        return store.find(tenant).map(GuardJson::of).defaultIfEmpty(GuardJson.none(tenant.mode()));
    }

    private Mono<Merchant> merchant(ServerRequest request) {
        return merchants.merchant(AdminRoutes.merchantId(request)).switchIfEmpty(Mono.error(AdminRoutes::notFound));
    }

    private static @Nullable CountLimit count(Fields fields) {
        Long max = fields.optionalInteger("count_max", 1, COUNT_MAX);
        Long seconds = fields.optionalInteger("window_seconds", 1, WINDOW_MAX.toSeconds());
        if ((fields.node("count_max") == null) != (fields.node("window_seconds") == null)) {
            fields.reject(FieldError.required(fields.node("count_max") == null ? "count_max" : "window_seconds"));
        }
        return max == null || seconds == null ? null : new CountLimit(max.intValue(), Duration.ofSeconds(seconds));
    }

    /** An empty list is refused: it could mean that all or that none are allowed. */
    private static @Nullable Set<String> allowed(Fields fields, String field, UnaryOperator<String> normalised) {
        List<String> given = fields.optionalStrings(field);
        if (given == null) {
            return null;
        }
        if (given.isEmpty() || given.size() > ALLOWED_MAX) {
            return fields.error(
                    FieldError.invalid(field, "expected 1 to " + ALLOWED_MAX + " of them, or no such field"));
        }
        Set<String> allowed = new TreeSet<>();
        for (int i = 0; i < given.size(); i++) {
            try {
                allowed.add(normalised.apply(given.get(i).strip()));
            } catch (IllegalArgumentException malformed) {
                return fields.error(FieldError.invalid(field, "entry " + (i + 1) + ": " + malformed.getMessage()));
            }
        }
        return allowed;
    }

    /** The key in its normal form. Its type follows from its form; a phone number begins with +55. */
    private static String key(String text) {
        if (text.contains("@")) {
            return PixKey.parse(PixKey.Type.EMAIL, text).value();
        }
        if (text.startsWith("+")) {
            return PixKey.parse(PixKey.Type.PHONE, text).value();
        }
        if (text.length() == EVP_LENGTH) {
            return PixKey.parse(PixKey.Type.EVP, text).value();
        }
        try {
            return TaxId.parse(text).value();
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "expected an e-mail address, a CPF or CNPJ, a UUID, or a phone number that begins with +55",
                    malformed);
        }
    }

    private record GuardsJson(List<GuardJson> guards) {}

    private record GuardJson(
            Mode mode,
            @Nullable String dayMax,
            @Nullable String nightMax,
            @Nullable String amountMax,
            @Nullable Integer countMax,
            @Nullable Long windowSeconds,
            @Nullable String approvalAbove,
            boolean fundsCheck,
            @Nullable List<String> allowedKeys,
            @Nullable List<String> allowedDocuments) {

        static GuardJson of(CashoutGuard guard) {
            CountLimit count = guard.count();
            return new GuardJson(
                    guard.tenant().mode(),
                    Objects.toString(guard.dayMax(), null),
                    Objects.toString(guard.nightMax(), null),
                    Objects.toString(guard.amountMax(), null),
                    count == null ? null : count.max(),
                    count == null ? null : count.window().toSeconds(),
                    Objects.toString(guard.approvalAbove(), null),
                    guard.fundsCheck(),
                    sorted(guard.keys()),
                    sorted(guard.documents()));
        }

        static GuardJson none(Mode mode) {
            return new GuardJson(mode, null, null, null, null, null, null, false, null, null);
        }

        private static @Nullable List<String> sorted(@Nullable Set<String> values) {
            if (values == null) {
                return null;
            }
            List<String> sorted = new ArrayList<>(values);
            sorted.sort(null);
            return sorted;
        }
    }
}
