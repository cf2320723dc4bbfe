package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Builds the pending transaction of a request, with its ids, commission, BR Code and the name of its rail. */
@Component
final class NewTransaction {

    private final Clock clock;
    private final String ispb;
    private final Duration installationExpiresIn;

    NewTransaction(Clock clock, GatewayProperties properties) {
        this.clock = clock;
        this.ispb = properties.ispb();
        this.installationExpiresIn = properties.expiresIn();
    }

    /**
     * @param key the request's idempotency key; null when not given
     * @param rail the name of the rail that serves it
     * @param location the one that the code of a live cashin names; null for every other transaction
     */
    Transaction of(
            CreateRequest request,
            Caller caller,
            @Nullable String key,
            String rail,
            @Nullable PayloadLocation location) {
        TransactionId id = TransactionId.at(clock.instant());
        Instant createdAt = id.createdAt();
        Terms terms = new Terms(
                request.amount(),
                caller.fee(request.operation()).on(request.amount()),
                request.payer(),
                request.description(),
                request.platform(),
                request.reference(),
                request.extra(),
                request.pixKey(),
                brCode(id, request, caller, location),
                location == null ? null : location.id(),
                isTest(caller)
                        ? EndToEndId.generate(ispb, createdAt, ThreadLocalRandom.current())
                                .value()
                        : Terms.NO_END_TO_END_ID,
                createdAt.plus(validity(request, caller)),
                rail,
                caller.commissionReturns(),
                request.returnUrl());
        return Transaction.create(
                id, caller.tenant(), request.operation(), terms, key, new Requester(caller.keyId(), null));
    }

    private static boolean isTest(Caller caller) {
        return caller.tenant().mode() == Mode.TEST;
    }

    private static @Nullable String brCode(
            TransactionId id, CreateRequest request, Caller caller, @Nullable PayloadLocation location) {
        if (location != null) {
            Caller.Receiver receiver = caller.receiver();
            return BrCode.of(location.address(), receiver.name(), receiver.city())
                    .encode();
        }
        return request.operation() == Operation.CASHIN && isTest(caller)
                ? SimulatorCode.of(id, request.amount(), caller.receiver())
                : null;
    }

    private Duration validity(CreateRequest request, Caller caller) {
        boolean isSimulated = request.operation() == Operation.CASHIN && isTest(caller);
        Duration agreed = expiresIn(request, caller);
        return isSimulated ? SimulatorCode.validity(request.amount(), agreed) : agreed;
    }

    /** The request's own, else the merchant's, else the installation's. */
    private Duration expiresIn(CreateRequest request, Caller caller) {
        if (request.expiresIn() != null) {
            return request.expiresIn();
        }
        return caller.expiresIn() == null ? installationExpiresIn : caller.expiresIn();
    }
}
