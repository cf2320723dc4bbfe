package dev.ligeiro.gateway.create;

import dev.ligeiro.gateway.GatewayProperties;
import dev.ligeiro.gateway.merchant.Caller;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.StatusEvent;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/** Builds the pending transaction of a request, with its ids, commission and BR Code. */
@Component
final class NewTransaction {

    private final Clock clock;
    private final String ispb;

    NewTransaction(Clock clock, GatewayProperties properties) {
        this.clock = clock;
        this.ispb = properties.ispb();
    }

    Transaction of(CreateRequest request, Caller caller) {
        TransactionId id = TransactionId.at(clock.instant());
        Instant createdAt = id.createdAt();
        return new Transaction(
                id,
                caller.tenant(),
                request.operation(),
                Status.PENDING,
                1,
                false,
                request.amount(),
                caller.fee(request.operation()).on(request.amount()),
                request.payer(),
                request.description(),
                request.platform(),
                request.reference(),
                request.extra(),
                EndToEndId.generate(ispb, createdAt, ThreadLocalRandom.current())
                        .value(),
                request.pixKey(),
                request.operation() == Operation.CASHIN
                        ? SimulatorCode.of(id, request.amount(), caller.receiver())
                        : null,
                List.of(new StatusEvent(1, Status.PENDING, createdAt, StatusEvent.Source.MERCHANT, null)));
    }
}
