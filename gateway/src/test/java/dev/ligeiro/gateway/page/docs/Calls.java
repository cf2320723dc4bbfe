package dev.ligeiro.gateway.page.docs;

import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Requests of a merchant by the names of their operations. Each answer is checked against the description. */
final class Calls {

    private final Contract contract;
    private final TestMerchant merchant;
    private final TestMerchant approver;

    Calls(Contract contract, TestMerchant merchant) {
        this.contract = contract;
        this.merchant = merchant;
        this.approver = merchant.withKey(merchant.newKey("cashouts:approve").key());
    }

    TestMerchant merchant() {
        return merchant;
    }

    /** With a key that may call the operation: one that creates cashouts approves none. */
    TestMerchant merchantFor(String operationId) {
        return operationId.equals("approveTransaction") ? approver : merchant;
    }

    /** The operations that need an API key. */
    Stream<DocumentedOperation> keyed() {
        return contract.description().operations().stream().filter(DocumentedOperation::needsKey);
    }

    /** The operations that the processor carries out. */
    /** The changes of a transaction, by its id. */
    Stream<DocumentedOperation> changes() {
        return keyed().filter(operation -> operation.statuses().contains("202")
                && operation.hasParameter("header", "Idempotency-Key")
                && operation.path().contains("/transaction/"));
    }

    DocumentedOperation operation(String id) {
        return contract.description().operation(id);
    }

    Answer check(String operationId, Answer answer) {
        return contract.check(operationId, answer);
    }

    /**
     * @param body null for none
     * @param ids in place of the path's parameters, the last one again for further parameters
     */
    Answer send(String operationId, @Nullable Object body, String... ids) {
        return send(merchantFor(operationId).api(), operationId, body, ids);
    }

    Answer send(Api api, String operationId, @Nullable Object body, String... ids) {
        return check(
                operationId,
                Api.send(body == null ? request(api, operationId, ids) : json(api, operationId, body, ids)));
    }

    /** A request without a body, which the caller may change. */
    HttpRequest.Builder request(Api api, String operationId, String... ids) {
        DocumentedOperation operation = operation(operationId);
        return api.request(path(operation, ids)).method(operation.method(), BodyPublishers.noBody());
    }

    private HttpRequest.Builder json(Api api, String operationId, Object body, String... ids) {
        DocumentedOperation operation = operation(operationId);
        return api.json(operation.method(), path(operation, ids), body);
    }

    private static String path(DocumentedOperation operation, String... ids) {
        return ids.length == 0 ? operation.path() : operation.path(ids).replaceAll("\\{[a-z_]+}", ids[ids.length - 1]);
    }

    /** With an {@code Idempotency-Key}. */
    Answer sendWithKey(String operationId, Object body, String key, String... ids) {
        return check(
                operationId,
                Api.send(json(merchantFor(operationId).api(), operationId, body, ids)
                        .header("Idempotency-Key", key)));
    }

    /** The examples of a request by their names, with a platform of the merchant. */
    Map<String, ObjectNode> examples(String operationId) {
        Map<String, ObjectNode> examples = operation(operationId).requestExamples();
        examples.values().stream()
                .filter(example -> example.has("platform"))
                .forEach(example -> example.put("platform", merchant.platform()));
        return examples;
    }

    ObjectNode example(String operationId, String name) {
        return Objects.requireNonNull(examples(operationId).get(name));
    }

    /** The id of a new cashin. */
    String pending() {
        return merchant.created(merchant.cashin());
    }

    /** The id of a new webhook endpoint. */
    String endpoint() {
        return TestEndpoint.of(merchant).id().toString();
    }

    static String random() {
        return UUID.randomUUID().toString();
    }
}
