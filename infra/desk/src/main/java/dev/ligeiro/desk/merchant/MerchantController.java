package dev.ligeiro.desk.merchant;

import static java.util.Objects.requireNonNullElse;

import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantJson.Fees;
import dev.ligeiro.desk.merchant.MerchantJson.Limits;
import dev.ligeiro.desk.merchant.ReadableText.Kind;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Merchant.Platform;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Makes, lists, shows and changes merchants. A change takes effect on the gateways within 5 seconds. */
@RestController
@RequestMapping("/admin/merchants")
@Tag(name = "merchants")
public class MerchantController {

    private static final String CITY_DEFAULT = "SAO PAULO";
    private static final int EXPIRES_IN_MAX = 365 * 24 * 3600;
    /** As long as refunds are possible. */
    private static final int RETENTION_DAYS_MIN = 90;

    private static final int RETENTION_DAYS_MAX = 36_500;

    private final MerchantStore store;
    private final GuardController guards;
    private final Defaults defaults;
    private final Clock clock;

    MerchantController(MerchantStore store, GuardController guards, Defaults defaults, Clock clock) {
        this.store = store;
        this.guards = guards;
        this.defaults = defaults;
        this.clock = clock;
    }

    /** What holds for merchants without settings of their own; gateways have the same values. {@code application.yml} explains them. */
    @ConfigurationProperties("ligeiro")
    record Defaults(BigDecimal amountMax, ZoneId timeZone, RateLimits rateLimits, Cashouts cashouts) {

        record RateLimits(int merchantReadsPerSecond, int merchantWritesPerSecond) {}

        record Cashouts(boolean beginStopped) {}
    }

    public record NewMerchant(
            @NotBlank @Size(max = 100) @ReadableText(Kind.BR_CODE) String name,
            @Size(max = 100) @ReadableText(Kind.BR_CODE) @Nullable String city,
            @Valid @Nullable Fees fees) {}

    /** Its live cashouts begin stopped, unless a setting says otherwise. */
    @PostMapping
    @Needs(Role.OPERATE)
    @Operation(summary = "make a merchant")
    public ResponseEntity<MerchantJson> make(@RequestBody NewMerchant body) {
        Merchant made = new Merchant(
                newId(),
                store.nextNumber(),
                body.name,
                requireNonNullElse(body.city, CITY_DEFAULT),
                body.fees == null ? Map.of() : body.fees.stored(),
                null,
                null,
                null,
                null,
                MerchantLimits.NONE,
                List.of(),
                clock.instant());
        // first, so that the merchant can never pay out before it is opened
        if (defaults.cashouts.beginStopped) {
            guards.begin(CashoutGuard.none(Tenant.of(made.number(), Mode.LIVE), defaults.timeZone, made.createdAt()));
        }
        store.insert(made);
        return ResponseEntity.created(URI.create("/admin/merchants/" + made.id()))
                .body(MerchantJson.of(made));
    }

    public record MerchantList(List<MerchantJson> merchants, @Nullable String nextCursor) {}

    /** @param name how the name begins, in upper or lower case and with or without accents */
    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "all merchants, the newest first")
    public MerchantList list(
            @RequestParam @Nullable String name,
            @RequestParam @Nullable Long number,
            @RequestParam @Nullable UUID after) {
        if (number != null && (name != null || after != null)) {
            throw Problem.invalid("number", "expected alone");
        }
        List<Merchant> found = number == null
                ? store.page(name, after, Slice.ITEMS_MAX + 1)
                : List.copyOf(store.byNumber(List.of(number)).values());
        Slice<MerchantJson> page = Slice.of(found, Merchant::id).map(MerchantJson::of);
        return new MerchantList(page.items(), page.next());
    }

    @GetMapping("/{merchantId}")
    @Needs(Role.READ)
    @Operation(summary = "one merchant with its fees and limits")
    MerchantJson show(@PathVariable UUID merchantId) {
        return MerchantJson.of(store.get(merchantId));
    }

    record Change(
            @Size(max = 100) @ReadableText(Kind.BR_CODE) @Nullable String name,
            @Size(max = 100) @ReadableText(Kind.BR_CODE) @Nullable String city) {}

    /** A field that is absent stays as it is. */
    @PatchMapping("/{merchantId}")
    @Replaces("merchants show")
    @Needs(Role.OPERATE)
    @Operation(summary = "change the name and the city of a merchant")
    MerchantJson rename(@PathVariable UUID merchantId, @RequestBody Change body) {
        Update update = new Update();
        if (body.name != null) {
            update.set("name", body.name);
        }
        if (body.city != null) {
            update.set("city", body.city);
        }
        // an update without a change would replace the document
        if (body.name != null || body.city != null) {
            store.update(merchantId, update);
        }
        return show(merchantId);
    }

    @PutMapping("/{merchantId}/fees")
    @Replaces(value = "merchants show", at = "/fees")
    @Needs(Role.OPERATE)
    @Operation(summary = "set the commissions of a merchant")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setFees(@PathVariable UUID merchantId, @RequestBody Fees body) {
        set(merchantId, "fees", body.stored());
    }

    record Refunds(@NotNull Boolean commissionReturns) {}

    /** For transactions that are created from now on. */
    @PutMapping("/{merchantId}/refunds")
    @Replaces("merchants show")
    @Needs(Role.OPERATE)
    @Operation(summary = "set whether a refund returns the commission, in proportion")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setRefunds(@PathVariable UUID merchantId, @RequestBody Refunds body) {
        set(merchantId, "commissionReturns", body.commissionReturns ? true : null);
    }

    private void set(UUID merchantId, String field, @Nullable Object value) {
        store.update(merchantId, value == null ? new Update().unset(field) : new Update().set(field, value));
    }

    record Payers(
            @NotNull Boolean payerMustMatch, @NotNull Boolean refundPayerMismatch, @NotNull Boolean payerVisible) {}

    /** For cashins that are created from now on. A create may have {@code payer_must_match} of its own. */
    @PutMapping("/{merchantId}/payers")
    @Replaces("merchants show")
    @Needs(Role.OPERATE)
    @Operation(summary = "set who may pay a merchant's cashins, and whether it sees who has")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setPayers(@PathVariable UUID merchantId, @RequestBody Payers body) {
        PayerRules rules = new PayerRules(body.payerMustMatch, body.refundPayerMismatch, body.payerVisible);
        set(merchantId, "payerRules", rules.equals(PayerRules.NONE) ? null : rules);
    }

    /** A limit that is raised or removed needs the role money. */
    @PutMapping("/{merchantId}/limits")
    @Replaces(value = "merchants show", at = "/limits")
    @Needs(Role.READ)
    @Operation(summary = "set the limits of a merchant; without one, that of the installation applies")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setLimits(@PathVariable UUID merchantId, @RequestBody Limits body, Operator operator) {
        MerchantLimits limits = body.stored();
        MerchantLimits before = store.get(merchantId).limits();
        MerchantLimits rates = new MerchantLimits(
                Map.of(), defaults.rateLimits.merchantReadsPerSecond, defaults.rateLimits.merchantWritesPerSecond);
        boolean isNarrower =
                limits.amountsAreWithin(before, Amount.of(defaults.amountMax)) && limits.ratesAreWithin(before, rates);
        operator.require(isNarrower ? Role.OPERATE : Role.MONEY);
        set(merchantId, "limits", limits);
    }

    record Expiry(@Min(1) @Max(EXPIRES_IN_MAX) @Nullable Integer expiresIn) {}

    /** Without {@code expires_in}, in seconds, the installation's default applies again. */
    @PutMapping("/{merchantId}/expiry")
    @Replaces("merchants show")
    @Needs(Role.OPERATE)
    @Operation(summary = "set how long a merchant's transactions stay pending; without a value, as long as all")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setExpiry(@PathVariable UUID merchantId, @RequestBody Expiry body) {
        set(merchantId, "expiresInSeconds", body.expiresIn == null ? null : body.expiresIn.longValue());
    }

    record Retention(@Min(RETENTION_DAYS_MIN) @Max(RETENTION_DAYS_MAX) @Nullable Integer retentionDays) {}

    /**
     * Personal data of older transactions is removed within minutes, and cannot be restored. Without {@code retention_days}, the installation's
     * setting applies again.
     */
    @PutMapping("/{merchantId}/retention")
    @Replaces("merchants show")
    @Needs(Role.MONEY)
    @Operation(
            summary = "set how many days a merchant's transactions keep personal data; without a value, as long as all")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setRetention(@PathVariable UUID merchantId, @RequestBody Retention body) {
        set(merchantId, "retentionDays", body.retentionDays);
    }

    public record NewPlatform(@NotBlank @Size(max = 100) String name, @NotNull Mode mode) {}

    @PostMapping("/{merchantId}/platforms")
    @Needs(Role.OPERATE)
    @Operation(summary = "add a platform")
    public ResponseEntity<Platform> addPlatform(@PathVariable UUID merchantId, @RequestBody NewPlatform body) {
        Platform platform = new Platform(newId(), body.name, body.mode);
        store.update(merchantId, new Update().push("platforms", platform));
        return ResponseEntity.created(URI.create("/admin/merchants/" + merchantId + "/platforms/" + platform.id()))
                .body(platform);
    }

    record PlatformList(List<Platform> platforms, @Nullable String nextCursor) {}

    @GetMapping("/{merchantId}/platforms")
    @Needs(Role.READ)
    @Operation(summary = "all platforms of a merchant, the oldest first")
    PlatformList listPlatforms(@PathVariable UUID merchantId, @RequestParam @Nullable UUID after) {
        Slice<Platform> page = Slice.of(
                store.get(merchantId).platforms().stream()
                        .dropWhile(platform -> after != null && !platform.id().equals(after))
                        .skip(after == null ? 0 : 1)
                        .limit(Slice.ITEMS_MAX + 1L)
                        .toList(),
                Platform::id);
        return new PlatformList(page.items(), page.next());
    }

    @GetMapping("/{merchantId}/platforms/{platformId}")
    @Needs(Role.READ)
    @Operation(summary = "one platform of a merchant")
    Platform showPlatform(@PathVariable UUID merchantId, @PathVariable UUID platformId) {
        return store.get(merchantId).platforms().stream()
                .filter(platform -> platform.id().equals(platformId))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("There is no such platform"));
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }
}
