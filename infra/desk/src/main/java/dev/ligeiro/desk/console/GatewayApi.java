package dev.ligeiro.desk.console;

import java.util.Map;
import java.util.UUID;
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
    Visitor enter(@RequestBody Map<String, String> code);

    @GetExchange("/console-sessions")
    Answers.SessionList sessions();

    @DeleteExchange("/console-sessions/{id}")
    void endSession(@PathVariable UUID id);

    @GetExchange("/keys")
    Answers.KeyList keys();

    @GetExchange("/platforms")
    Answers.PlatformList platforms();

    @GetExchange("/figures")
    Answers.FigureList figures(@RequestParam Map<String, String> range);

    @GetExchange("/balance")
    Answers.Balance balance();

    @GetExchange("/statement")
    Answers.Statement statement(@RequestParam Map<String, String> range);

    @GetExchange("/transactions")
    Answers.TransactionList transactions(@RequestParam Map<String, String> filters);

    @GetExchange("/transaction/{id}")
    Answers.OneTransaction transaction(@PathVariable UUID id);

    @GetExchange("/transaction/{id}/history")
    Answers.History history(@PathVariable UUID id);

    @GetExchange(url = "/transaction/{id}/bundle", accept = "application/zip")
    byte[] bundle(@PathVariable UUID id);

    @GetExchange("/transaction/{id}/refunds")
    Answers.RefundList refunds(@PathVariable UUID id);

    @PostExchange("/transaction/pix/cashin")
    Answers.OneTransaction createCashin(
            @RequestHeader("Idempotency-Key") String once, @RequestBody Map<String, String> cashin);

    /** 202 if the change is still to come. Requests with the same {@code once} are one change. */
    @PostExchange("/transaction/{id}/{action}")
    ResponseEntity<Answers.OneTransaction> change(
            @PathVariable UUID id,
            @PathVariable String action,
            @RequestHeader("Idempotency-Key") String once,
            @RequestBody TransactionPages.ActionForm change);

    @PostExchange("/sandbox/transaction/{id}/{action}")
    ResponseEntity<Answers.OneTransaction> sandbox(
            @PathVariable UUID id, @PathVariable String action, @RequestHeader("Idempotency-Key") String once);

    @GetExchange("/disputes")
    Answers.DisputeList disputes(@RequestParam Map<String, String> filters);

    @GetExchange("/disputes/{id}")
    Answers.Dispute dispute(@PathVariable UUID id);

    /** 202 if the bank has not answered yet. Requests with the same {@code once} are one defence. */
    @PostExchange("/disputes/{id}/defense")
    ResponseEntity<Answers.Dispute> defend(
            @PathVariable UUID id,
            @RequestHeader("Idempotency-Key") String once,
            @RequestBody DisputePages.DefenseForm defense);

    @GetExchange("/webhooks")
    Answers.EndpointList endpoints();

    @GetExchange("/webhooks/{id}")
    Answers.Endpoint endpoint(@PathVariable UUID id);

    @PostExchange("/webhooks")
    Answers.Endpoint register(@RequestBody WebhookPages.EndpointForm endpoint);

    /** Changes only the fields that are not null. */
    @PatchExchange("/webhooks/{id}")
    Answers.Endpoint change(@PathVariable UUID id, @RequestBody WebhookPages.EndpointForm change);

    @PostExchange("/webhooks/{id}/rotate-secret")
    Answers.Endpoint rotate(@PathVariable UUID id);

    @PostExchange("/webhooks/{id}/test")
    Answers.Delivery test(@PathVariable UUID id);

    @GetExchange("/webhooks/{id}/deliveries")
    Answers.DeliveryList deliveries(@PathVariable UUID id, @RequestParam Map<String, String> filters);

    @PostExchange("/webhooks/{id}/deliveries/{deliveryId}/redeliver")
    Answers.Delivery redeliver(@PathVariable UUID id, @PathVariable String deliveryId);

    @PostExchange("/webhooks/{id}/replay")
    Answers.Replay startReplay(@PathVariable UUID id, @RequestBody Map<String, String> replay);

    @GetExchange("/webhooks/{id}/replays/{replayId}")
    Answers.Replay replay(@PathVariable UUID id, @PathVariable UUID replayId);
}
