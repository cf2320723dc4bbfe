package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.gateway.http.request.Sender;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.MerchantLimits;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AllowedNetworks;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request: a merchant in one mode, authenticated by one of its API keys. It holds everything that a create needs from the
 * merchant, and is cached for seconds.
 *
 * @param keyId the id of the API key
 * @param session the console session of the request, which uses the key; null for a request with the key itself
 * @param scopes what the key may do, or the session, the scopes included in others too
 * @param networks from where the key works; empty for everywhere
 * @param platforms the merchant's platforms in this mode
 * @param fees the commission of each operation
 * @param commissionReturns {@code true} if a refund returns the commission; null if the commission stays
 * @param payerRules what the merchant wants of the payers of its cashins; null for nothing
 * @param expiresIn how long the merchant's transactions stay pending; null for the installation's default
 * @param receiver the receiver's name and city in BR Codes
 * @param expiresAt the expiry of the key or the session; null for never
 */
public record Caller(
        Tenant tenant,
        UUID keyId,
        @Nullable UUID session,
        Set<Scope> scopes,
        AllowedNetworks networks,
        Set<UUID> platforms,
        Map<Operation, Commission> fees,
        @Nullable Boolean commissionReturns,
        @Nullable PayerRules payerRules,
        @Nullable Duration expiresIn,
        MerchantLimits limits,
        Receiver receiver,
        @Nullable Instant expiresAt)
        implements Sender {

    static Caller of(ApiKey key, Merchant merchant) {
        return new Caller(
                Tenant.of(merchant.number(), key.mode()),
                key.id(),
                null,
                Scope.permitted(key.scopes()),
                AllowedNetworks.parse("networks", key.networks() == null ? List.of() : key.networks()),
                platforms(merchant, key.mode()),
                fees(merchant),
                merchant.commissionReturns(),
                merchant.payerRules(),
                merchant.expiresInSeconds() == null ? null : Duration.ofSeconds(merchant.expiresInSeconds()),
                merchant.limits(),
                new Receiver(merchant.name(), merchant.city()),
                key.expiresAt());
    }

    /** The same caller in a session that its key has made: with at most the scopes of both, until the first of both ends. */
    Caller in(ConsoleSession of) {
        Set<Scope> both = Scope.permitted(of.scopes());
        both.retainAll(scopes);
        return new Caller(
                tenant,
                keyId,
                of.id(),
                both,
                networks,
                platforms,
                fees,
                commissionReturns,
                payerRules,
                expiresIn,
                limits,
                receiver,
                expiresAt == null || of.expiresAt().isBefore(expiresAt) ? of.expiresAt() : expiresAt);
    }

    private static Set<UUID> platforms(Merchant merchant, Mode mode) {
        return merchant.platforms().stream()
                .filter(platform -> platform.mode() == mode)
                .map(Merchant.Platform::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Map<Operation, Commission> fees(Merchant merchant) {
        Map<Operation, Commission> fees = new EnumMap<>(Operation.class);
        merchant.fees().forEach((operation, fee) -> fees.put(operation, fee.commission()));
        return fees;
    }

    public Commission fee(Operation operation) {
        return fees.getOrDefault(operation, Commission.NONE);
    }

    /** Whose changes the caller's requests are. */
    public Requester requester() {
        return new Requester(keyId, session);
    }

    boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    @Override
    public Object bodyShare() {
        return tenant;
    }

    public record Receiver(String name, String city) {}
}
