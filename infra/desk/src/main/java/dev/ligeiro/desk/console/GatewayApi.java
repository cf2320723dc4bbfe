package dev.ligeiro.desk.console;

import dev.ligeiro.desk.console.Answers.Balance;
import dev.ligeiro.desk.console.Answers.Delivery;
import dev.ligeiro.desk.console.Answers.DeliveryList;
import dev.ligeiro.desk.console.Answers.Endpoint;
import dev.ligeiro.desk.console.Answers.EndpointList;
import dev.ligeiro.desk.console.Answers.FigureList;
import dev.ligeiro.desk.console.Answers.History;
import dev.ligeiro.desk.console.Answers.KeyList;
import dev.ligeiro.desk.console.Answers.OneTransaction;
import dev.ligeiro.desk.console.Answers.OpenedSession;
import dev.ligeiro.desk.console.Answers.PlatformList;
import dev.ligeiro.desk.console.Answers.RefundList;
import dev.ligeiro.desk.console.Answers.Replay;
import dev.ligeiro.desk.console.Answers.SessionList;
import dev.ligeiro.desk.console.Answers.Statement;
import dev.ligeiro.desk.console.Answers.TransactionList;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.DeleteExchange;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PatchExchange;
import org.springframework.web.service.annotation.PostExchange;

/**
 * The gateway's public API, as far as the pages use it. Calls have the rights of the person who is signed in. Each fails with an {@link
 * ApiProblem} for another status than 2xx, and with a {@code ResourceAccessException} without an answer.
 */
@HttpExchange(url = "/api/v1", accept = "application/json")
interface GatewayApi {

    @PostExchange("/console-sessions/enter")
    OpenedSession enter(@RequestBody Map<String, String> code);

    @GetExchange("/console-sessions")
    SessionList sessions();

    @DeleteExchange("/console-sessions/{id}")
    void endSession(@PathVariable UUID id);

    @GetExchange("/keys")
    KeyList keys();

    @GetExchange("/platforms")
    PlatformList platforms();

    @GetExchange("/figures")
    FigureList figures(@RequestParam Map<String, String> range);

    @GetExchange("/balance")
    Balance balance();

    @GetExchange("/statement")
    Statement statement(@RequestParam Map<String, String> range);

    @GetExchange("/transactions")
    TransactionList transactions(@RequestParam Map<String, String> filters);

    @GetExchange("/transaction/{id}")
    OneTransaction transaction(@PathVariable UUID id);

    @GetExchange("/transaction/{id}/history")
    History history(@PathVariable UUID id);

    @GetExchange("/transaction/{id}/refunds")
    RefundList refunds(@PathVariable UUID id);

    @PostExchange("/transaction/pix/cashin")
    OneTransaction createCashin(@RequestHeader("Idempotency-Key") String once, @RequestBody Map<String, String> cashin);

    /** 202 if the change is still to come. Requests with the same {@code once} are one change. */
    @PostExchange("/transaction/{id}/{action}")
    ResponseEntity<OneTransaction> change(
            @PathVariable UUID id,
            @PathVariable String action,
            @RequestHeader("Idempotency-Key") String once,
            @RequestBody Map<String, String> fields);

    @PostExchange("/sandbox/transaction/{id}/{action}")
    ResponseEntity<OneTransaction> sandbox(
            @PathVariable UUID id, @PathVariable String action, @RequestHeader("Idempotency-Key") String once);

    @GetExchange("/webhooks")
    EndpointList endpoints();

    @GetExchange("/webhooks/{id}")
    Endpoint endpoint(@PathVariable UUID id);

    @PostExchange("/webhooks")
    Endpoint register(@RequestBody EndpointChange endpoint);

    @PatchExchange("/webhooks/{id}")
    Endpoint change(@PathVariable UUID id, @RequestBody EndpointChange change);

    @PostExchange("/webhooks/{id}/rotate-secret")
    Endpoint rotate(@PathVariable UUID id);

    @PostExchange("/webhooks/{id}/test")
    Delivery test(@PathVariable UUID id);

    @GetExchange("/webhooks/{id}/deliveries")
    DeliveryList deliveries(@PathVariable UUID id, @RequestParam Map<String, String> filters);

    @PostExchange("/webhooks/{id}/deliveries/{deliveryId}/redeliver")
    Delivery redeliver(@PathVariable UUID id, @PathVariable String deliveryId);

    @PostExchange("/webhooks/{id}/replay")
    Replay startReplay(@PathVariable UUID id, @RequestBody Map<String, String> replay);

    @GetExchange("/webhooks/{id}/replays/{replayId}")
    Replay replay(@PathVariable UUID id, @PathVariable UUID replayId);

    /** A new endpoint, or a change in which what is null stays as it is. */
    record EndpointChange(
            @Nullable String url,
            java.util.@Nullable List<String> events,
            @Nullable String description,
            @Nullable Boolean enabled) {}
}
