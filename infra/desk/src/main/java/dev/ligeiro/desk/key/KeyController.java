package dev.ligeiro.desk.key;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.key.KeyStore.KeyUse;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.merchant.ReadableText;
import dev.ligeiro.desk.merchant.ReadableText.Kind;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.extensions.Extension;
import io.swagger.v3.oas.annotations.extensions.ExtensionProperty;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/**
 * Makes, lists, shows, rotates and revokes the API keys of merchants, and finds them. Only its hash is stored, so a key is known only from
 * the response that makes it. A change takes effect on the gateways within 5 seconds.
 */
@RestController
@Tag(name = "keys")
public class KeyController {

    private static final String ALL = "/admin/merchants/{merchantId}/keys";
    private static final String ONE = ALL + "/{keyId}";
    private static final String SOME_NETWORKS = "expected 1 to 50, or no such field";
    private static final String FUTURE = "expected a time in the future";
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    /** Of a key made without scopes: it reads, and creates what brings money in. */
    private static final List<Scope> DEFAULT_SCOPES =
            List.of(Scope.CASHINS_WRITE, Scope.STATEMENT_READ, Scope.TRANSACTIONS_READ);

    private static final long OVERLAP_DEFAULT_SECONDS = 24 * 3600;
    private static final long OVERLAP_MAX_SECONDS = 30 * 24 * 3600;

    private final KeyStore store;
    private final MerchantStore merchants;
    private final Clock clock;

    KeyController(KeyStore store, MerchantStore merchants, Clock clock) {
        this.store = store;
        this.merchants = merchants;
        this.clock = clock;
    }

    /** Without scopes, the key reads and creates cashins; without networks, it works from everywhere; without an expiry, for ever. */
    public record NewKey(
            @NotNull Mode mode,
            @Size(max = 100) @Nullable String name,
            @Size(min = 1, message = "expected at least one, or no such field") @Nullable List<@NotNull Scope> scopes,
            @Size(min = 1, max = 50, message = SOME_NETWORKS) @ReadableText(Kind.NETWORK) @Nullable
                    List<String> allowedNetworks,
            @Future(message = FUTURE) @Nullable Instant expiresAt) {}

    /** A key as the operators' API shows it: without its text. It is active, expired or revoked. */
    public record KeyJson(
            UUID id,
            String prefix,
            @Nullable String name,
            Mode mode,
            List<String> scopes,
            @Nullable List<String> allowedNetworks,
            String status,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt,
            @Nullable UUID replaces,
            Instant createdAt) {

        private static KeyJson of(ApiKey key, Instant now) {
            String ended = key.revokedAt() == null ? "expired" : "revoked";
            return new KeyJson(
                    key.id(),
                    key.prefix(),
                    key.name(),
                    key.mode(),
                    key.scopes(),
                    key.networks(),
                    key.isActive(now) ? "active" : ended,
                    key.expiresAt(),
                    key.revokedAt(),
                    key.lastUsedAt(),
                    key.replaces(),
                    key.createdAt());
        }
    }

    /** The only response that shows a key's text. */
    public record MadeKey(
            @JsonUnwrapped KeyJson made,
            String key,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KeyJson previous) {}

    @PostMapping(ALL)
    @Needs(Role.READ)
    @Operation(summary = "make a key and show it, this once")
    public ResponseEntity<MadeKey> make(@PathVariable UUID merchantId, @RequestBody NewKey body, Operator operator) {
        String key = ApiKey.generate(body.mode);
        ApiKey made = new ApiKey(
                newId(),
                ApiKey.hash(key),
                ApiKey.start(key),
                merchantId,
                body.name,
                body.mode,
                (body.scopes == null ? DEFAULT_SCOPES : body.scopes)
                        .stream().map(Scope::code).distinct().sorted().toList(),
                Kind.NETWORK.normal(body.allowedNetworks),
                body.expiresAt,
                null,
                null,
                null,
                null,
                null,
                clock.instant());
        requireMayGive(operator, made);
        merchants.get(merchantId);
        store.insert(made);
        return made(made, key, null);
    }

    public record KeyList(List<KeyJson> keys, @Nullable String nextCursor) {}

    @GetMapping(ALL)
    @Needs(Role.READ)
    @Operation(summary = "all keys of a merchant, the newest first")
    public KeyList list(@PathVariable UUID merchantId, @RequestParam @Nullable UUID after) {
        merchants.get(merchantId);
        Slice<ApiKey> page = Slice.of(store.ofMerchant(merchantId, after), ApiKey::id);
        return new KeyList(page.map(this::json).items(), page.next());
    }

    @GetMapping(ONE)
    @Needs(Role.READ)
    @Operation(summary = "one key with its status and last use")
    KeyJson show(@PathVariable UUID merchantId, @PathVariable UUID keyId) {
        return json(store.get(merchantId, keyId));
    }

    /** @param overlap how many seconds the old key works beside the new one; null for a day */
    record Rotation(
            @Min(0) @Max(OVERLAP_MAX_SECONDS) @Nullable Long overlap,
            @Future(message = FUTURE) @Nullable Instant expiresAt) {}

    /**
     * Makes a key in place of an active one. Without an expiry of its own, the new key has the lifetime of the old one. A failed rotation
     * changes nothing; if only its response was lost, a further rotation of the same key makes another new key.
     */
    @PostMapping(ONE + "/rotate")
    @Needs(Role.READ)
    @Operation(
            summary = "make a key in place of another one and show it, this once",
            extensions =
                    @Extension(
                            properties =
                                    @ExtensionProperty(
                                            name = "x-confirm",
                                            value =
                                                    "A new key takes the place of this one, which works for the overlap and then stops.")))
    ResponseEntity<MadeKey> rotate(
            @PathVariable UUID merchantId, @PathVariable UUID keyId, @RequestBody Rotation body, Operator operator) {
        ApiKey old = store.get(merchantId, keyId);
        requireMayGive(operator, old);
        Instant now = clock.instant();
        String key = ApiKey.generate(old.mode());
        ApiKey next = old.rotated(newId(), key, body.expiresAt, now);
        long overlap = body.overlap == null ? OVERLAP_DEFAULT_SECONDS : body.overlap;
        ApiKey previous = old.rotatedUntil(now.plusSeconds(overlap), now);
        if (!old.isActive(now) || !store.replace(previous, next)) {
            throw Problem.of(ProblemCode.KEY_NOT_ACTIVE, "Make a new key instead");
        }
        return made(next, key, previous);
    }

    /** @param allowedNetworks null for everywhere */
    record Networks(
            @Size(min = 1, max = 50, message = SOME_NETWORKS) @ReadableText(Kind.NETWORK) @Nullable
                    List<String> allowedNetworks) {}

    /** Some of the networks that the key has are no more than before; else it needs the role that gives such a key. */
    @PutMapping(ONE + "/networks")
    @Replaces("keys show")
    @Needs(Role.READ)
    @Operation(summary = "set where a key works: from some addresses and networks, or from everywhere")
    KeyJson setNetworks(
            @PathVariable UUID merchantId, @PathVariable UUID keyId, @RequestBody Networks body, Operator operator) {
        List<String> networks = Kind.NETWORK.normal(body.allowedNetworks);
        ApiKey key = store.get(merchantId, keyId);
        List<String> before = key.networks();
        boolean isWider = before != null && (networks == null || !before.containsAll(networks));
        operator.require(isWider && key.paysOut() ? Role.MONEY : Role.OPERATE);
        if (!store.setNetworks(key, networks)) {
            throw Problem.unavailable("Another operator has changed the key at the same time", Duration.ofSeconds(1));
        }
        return show(merchantId, keyId);
    }

    @DeleteMapping(ONE)
    @Needs(Role.OPERATE)
    @Operation(summary = "stop a key, for ever")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable UUID merchantId, @PathVariable UUID keyId) {
        store.revoke(store.get(merchantId, keyId).id(), clock.instant());
    }

    public record FoundKey(@JsonUnwrapped NamedMerchant merchant, @JsonUnwrapped KeyJson key) {}

    public record FoundKeys(List<FoundKey> keys, @Nullable String nextCursor) {}

    /** @param hash the SHA-256 of a key in hex */
    @GetMapping("/admin/keys")
    @Needs(Role.READ)
    @Operation(summary = "whose key has a hash or begins so")
    FoundKeys search(
            @RequestParam @Nullable String hash,
            @RequestParam @Nullable String prefix,
            @RequestParam @Nullable UUID after) {
        if ((hash == null) == (prefix == null)) {
            throw Problem.invalid("hash", "expected either hash or prefix");
        }
        if (prefix != null) {
            return beginning("prefix", prefix, after);
        }
        if (hash == null || !HASH.matcher(hash).matches()) {
            throw Problem.invalid("hash", "expected a SHA-256 in hex");
        }
        return withHash(hash.toLowerCase(Locale.ROOT));
    }

    /** A whole key, or its beginning. It is in a body, and in no URL, log line or entry of the audit. */
    public record KeyText(@NotBlank @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String key) {

        @Override
        public String toString() {
            return "KeyText[]";
        }
    }

    @PostMapping("/admin/keys/find")
    @Needs(Role.READ)
    @Operation(summary = "whose key it is: a whole key, or its beginning")
    public FoundKeys find(@RequestBody KeyText body) {
        return ApiKey.hasForm(body.key) ? withHash(ApiKey.hash(body.key)) : beginning("key", body.key, null);
    }

    private FoundKeys withHash(String hash) {
        return named(store.withHash(hash).stream().toList());
    }

    private FoundKeys beginning(String field, String text, @Nullable UUID after) {
        try {
            return named(store.beginningWith(ApiKey.Beginning.parse(text), after));
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid(field, String.valueOf(malformed.getMessage()));
        }
    }

    private FoundKeys named(List<ApiKey> found) {
        Slice<ApiKey> page = Slice.of(found, ApiKey::id);
        Function<@Nullable UUID, NamedMerchant> named = merchants.namesOfIds(page.items(), ApiKey::merchantId);
        return new FoundKeys(
                page.map(key -> new FoundKey(named.apply(key.merchantId()), json(key)))
                        .items(),
                page.next());
    }

    public record UseList(List<KeyUse> uses, @Nullable String nextCursor) {}

    @GetMapping("/admin/keys/{keyId}/uses")
    @Needs(Role.READ)
    @Operation(summary = "what a key has done, the newest first, for the day after a leak")
    public UseList uses(@PathVariable UUID keyId, @RequestParam @Nullable UUID after) {
        ApiKey key = store.get(keyId);
        Tenant tenant = Tenant.of(merchants.get(key.merchantId()).number(), key.mode());
        Slice<KeyUse> page = store.uses(tenant, keyId, after);
        return new UseList(page.items(), page.next());
    }

    @GetMapping("/console/keys/{keyId}")
    @Needs(Role.READ)
    ModelAndView page(@PathVariable UUID keyId, @RequestParam @Nullable UUID after) {
        ApiKey key = store.get(keyId);
        return new ModelAndView("key/page", "found", new FoundKey(merchants.name(key.merchantId()), json(key)))
                .addObject("list", uses(keyId, after));
    }

    private ResponseEntity<MadeKey> made(ApiKey made, String key, @Nullable ApiKey previous) {
        return ResponseEntity.created(URI.create("/admin/merchants/" + made.merchantId() + "/keys/" + made.id()))
                .body(new MadeKey(json(made), key, previous == null ? null : json(previous)));
    }

    /** @throws Problem 403 */
    private static void requireMayGive(Operator operator, ApiKey key) {
        operator.require(key.paysOut() ? Role.MONEY : Role.OPERATE);
    }

    private KeyJson json(ApiKey key) {
        return KeyJson.of(key, clock.instant());
    }

    private UUID newId() {
        return UuidV7.at(clock.millis());
    }
}
