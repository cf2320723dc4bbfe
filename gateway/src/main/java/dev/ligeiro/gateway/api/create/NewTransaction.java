package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
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
    private final RailProperties rails;

    NewTransaction(Clock clock, GatewayProperties properties, RailProperties rails) {
        this.clock = clock;
        this.ispb = properties.ispb();
        this.installationExpiresIn = properties.expiresIn();
        this.rails = rails;
    }

    /** @param key the request's idempotency key; null when not given */
    Transaction of(CreateRequest request, Caller caller, @Nullable String key) {
        return of(
                request,
                caller,
                key,
                rails.rail(caller.tenant(), request.operation()).orElseThrow());
    }

    /** @param rail the name of the rail that serves it */
    Transaction of(CreateRequest request, Caller caller, @Nullable String key, String rail) {
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
                request.operation() == Operation.CASHIN
                        ? SimulatorCode.of(id, request.amount(), caller.receiver())
                        : null,
                null,
                EndToEndId.generate(ispb, createdAt, ThreadLocalRandom.current())
                        .value(),
                createdAt.plus(validity(request, caller)),
                rail);
        return Transaction.create(id, caller.tenant(), request.operation(), terms, key);
    }

    private Duration validity(CreateRequest request, Caller caller) {
        boolean isSimulated =
                request.operation() == Operation.CASHIN && caller.tenant().mode() == Mode.TEST;
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
