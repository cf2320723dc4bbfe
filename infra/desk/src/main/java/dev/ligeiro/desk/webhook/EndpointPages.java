package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.webhook.EndpointController.DeliveryDetail;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDelivery.StoredAttempt;
import dev.ligeiro.webhook.StatusFilter;
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

/** The failing endpoints, one endpoint with the cause of its failures, one delivery with its attempts and payload. */
@Controller
@RequestMapping("/console")
public class EndpointPages {

    private static final String ONE = "/merchants/{merchantId}/endpoints/{endpointId}";

    /** Of an endpoint's latest attempts. */
    private static final int SHOWN_MAX = 10;

    private final EndpointController controller;
    private final DeliveryStore deliveries;
    private final MerchantStore merchants;

    EndpointPages(EndpointController controller, DeliveryStore deliveries, MerchantStore merchants) {
        this.controller = controller;
        this.deliveries = deliveries;
        this.merchants = merchants;
    }

    @GetMapping("/endpoints")
    @Needs(Role.READ)
    String failing(@RequestParam @Nullable String after, Model model) {
        model.addAttribute("failing", controller.failing(after));
        return "webhook/failing";
    }

    /** An attempt, and the delivery that it belongs to. */
    public record Attempted(DeliveryJson delivery, StoredAttempt attempt) {}

    /** The latest attempt of the events tells why they do not arrive; that of the last test event is shown beside it, each with its response. */
    @GetMapping(ONE)
    @Needs(Role.READ)
    String endpoint(
            @PathVariable UUID merchantId,
            @PathVariable UUID endpointId,
            @RequestParam @Nullable StatusFilter status,
            @RequestParam @Nullable String after,
            Model model) {
        WebhookEndpoint endpoint = controller.endpoint(merchantId, endpointId);
        Stream<StoredDelivery> newest = deliveries.page(endpointId, null, null, null).items().stream();
        List<DeliveryJson> looked = controller.shown(
                endpoint,
                Stream.concat(newest, deliveries.retried(endpointId).stream())
                        .distinct()
                        .toList());
        List<Attempted> attempts = looked.stream()
                .flatMap(each -> each.attempts().stream().map(attempt -> new Attempted(each, attempt)))
                .sorted(Comparator.comparing((Attempted each) -> each.attempt().at())
                        .reversed())
                .toList();
        model.addAttribute("merchant", merchants.name(endpoint.tenant()));
        model.addAttribute("counted", controller.show(merchantId, endpointId));
        model.addAttribute("attempts", attempts.subList(0, Math.min(SHOWN_MAX, attempts.size())));
        Stream<DeliveryJson> latest = attempts.stream().map(Attempted::delivery);
        model.addAttribute("cause", withResponses(endpoint, latest.filter(each -> each.transactionId() != null)));
        Stream<DeliveryJson> tests = looked.stream().filter(each -> each.transactionId() == null);
        model.addAttribute("test", withResponses(endpoint, tests));
        model.addAttribute("page", controller.deliveries(merchantId, endpointId, status, null, after));
        model.addAttribute("status", status == null ? "" : status.code());
        return "webhook/endpoint";
    }

    /** The first one, with what the endpoint has answered. */
    private @Nullable DeliveryJson withResponses(WebhookEndpoint endpoint, Stream<DeliveryJson> found) {
        return found.findFirst()
                .map(each -> controller.delivery(endpoint, each.id()).delivery())
                .orElse(null);
    }

    @GetMapping(ONE + "/deliveries/{deliveryId}")
    @Needs(Role.READ)
    String delivery(
            @PathVariable UUID merchantId,
            @PathVariable UUID endpointId,
            @PathVariable String deliveryId,
            Model model) {
        DeliveryDetail detail = controller.delivery(merchantId, endpointId, deliveryId);
        model.addAttribute("merchant", merchants.name(merchantId));
        model.addAttribute("endpoint", controller.show(merchantId, endpointId).endpoint());
        model.addAttribute("delivery", detail.delivery());
        model.addAttribute(
                "payload", detail.payload() == null ? "" : detail.payload().toPrettyString());
        return "webhook/delivery";
    }
}
