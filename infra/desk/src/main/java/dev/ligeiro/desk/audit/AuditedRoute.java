package dev.ligeiro.desk.audit;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** A route of the operators' API that leaves entries: each change, and reads of personal data. */
record AuditedRoute(RequestMethod method, String path) {

    /** Null for a method that is no handler, and for other reads. */
    static @Nullable AuditedRoute of(Method handler, Class<?> controller) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(handler, RequestMapping.class);
        if (mapping == null || !AnnotatedElementUtils.hasAnnotation(controller, RestController.class)) {
            return null;
        }
        RequestMapping all = AnnotatedElementUtils.findMergedAnnotation(controller, RequestMapping.class);
        String path = (all == null ? "" : first(all.path())) + first(mapping.path());
        return Stream.of(mapping.method())
                .map(method -> new AuditedRoute(method, path))
                .filter(route -> path.startsWith("/admin/"))
                .filter(route -> route.isChange() || handler.isAnnotationPresent(Audited.PersonalData.class))
                .findFirst()
                .orElse(null);
    }

    private static String first(String[] paths) {
        return paths.length == 0 ? "" : paths[0];
    }

    boolean isChange() {
        return method != RequestMethod.GET;
    }

    /** Such as {@code DELETE /admin/merchants/{merchantId}/keys/{keyId}}. */
    String action() {
        return method + " " + path;
    }
}
