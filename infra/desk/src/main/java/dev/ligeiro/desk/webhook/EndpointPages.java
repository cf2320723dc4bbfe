package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.webhook.DeliveryJson.AttemptJson;
import dev.ligeiro.desk.webhook.EndpointController.CountedEndpoint;
import dev.ligeiro.desk.webhook.EndpointController.DeliveryDetail;
import dev.ligeiro.desk.webhook.EndpointController.DeliveryList;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The failing endpoints, one endpoint with the cause of its failures, one delivery with its attempts and payload. */
@Controller
@RequestMapping("/console")
public class EndpointPages {

    /** Of an endpoint's latest attempts. */
    private static final int SHOWN_MAX = 10;

    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final EndpointController controller;
    private final DeliveryStore deliveries;
    private final MerchantNames names;

    EndpointPages(EndpointController controller, DeliveryStore deliveries, MerchantNames names) {
        this.controller = controller;
        this.deliveries = deliveries;
        this.names = names;
    }

    @GetMapping("/endpoints")
    @Needs(Role.READ)
    String failing(@RequestParam @Nullable String after, Model model) {
        model.addAttribute("failing", controller.failing(after));
        return "webhook/failing";
    }

    /** An attempt, and the delivery that it belongs to. */
    public record Attempted(DeliveryJson delivery, AttemptJson attempt) {}

    /**
     * What the page of an endpoint shows.
     *
     * @param attempts the latest ones, at most 10, the newest first
     * @param test the delivery of the last test event; null without one among the newest
     * @param status of the deliveries that the list shows; {@code ""} for all
     */
    public record EndpointPage(
            NamedMerchant merchant,
            CountedEndpoint counted,
            List<Attempted> attempts,
            @Nullable DeliveryJson test,
            DeliveryList deliveries,
            String status) {

        public EndpointJson endpoint() {
            return counted.endpoint();
        }

        /** The latest attempt of the events, which tells why they do not arrive; null before the first one. */
        public @Nullable Attempted cause() {
            return attempts.stream()
                    .filter(each -> each.delivery().transactionId() != null)
                    .findFirst()
                    .orElse(null);
        }
    }

    @GetMapping("/merchants/{merchantId}/endpoints/{endpointId}")
    @Needs(Role.READ)
    String endpoint(
            @PathVariable UUID merchantId,
            @PathVariable UUID endpointId,
            @RequestParam(defaultValue = "") String status,
            @RequestParam @Nullable String after,
            Model model) {
        WebhookEndpoint endpoint = controller.endpoint(merchantId, endpointId);
        List<StoredDelivery> newest =
                deliveries.page(endpointId, null, null, null).items();
        List<DeliveryJson> attempted = controller.shown(
                endpoint,
                Stream.concat(newest.stream(), deliveries.retried(endpointId).stream())
                        .distinct()
                        .toList());
        List<Attempted> attempts = attempted.stream()
                .flatMap(each -> each.attempts().stream().map(attempt -> new Attempted(each, attempt)))
                .distinct()
                .sorted(Comparator.comparing((Attempted each) -> each.attempt().at())
                        .reversed())
                .limit(SHOWN_MAX)
                .toList();
        model.addAttribute(
                "shown",
                new EndpointPage(
                        names.of(endpoint.tenant()),
                        controller.show(merchantId, endpointId),
                        attempts,
                        attempted.stream()
                                .filter(each -> each.eventType().equals(TestEvent.TYPE))
                                .findFirst()
                                .orElse(null),
                        controller.deliveries(merchantId, endpointId, status.isEmpty() ? null : status, null, after),
                        status));
        return "webhook/endpoint";
    }

    @GetMapping("/merchants/{merchantId}/endpoints/{endpointId}/deliveries/{deliveryId}")
    @Needs(Role.READ)
    String delivery(
            @PathVariable UUID merchantId,
            @PathVariable UUID endpointId,
            @PathVariable String deliveryId,
            Model model) {
        DeliveryDetail detail = controller.delivery(merchantId, endpointId, deliveryId);
        model.addAttribute("merchant", names.of(merchantId));
        model.addAttribute("endpoint", controller.show(merchantId, endpointId).endpoint());
        model.addAttribute("delivery", detail.delivery());
        model.addAttribute("payload", detail.payload() == null ? "" : PRETTY.writeValueAsString(detail.payload()));
        return "webhook/delivery";
    }
}
