package dev.ligeiro.desk.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.RequestId;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.page.Capabilities.RefusedForm;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives each change of the operators' API an entry of the audit, whether JSON or a form has asked for it. The entry is stored before the
 * change and gets its status after it, so there is no change without an entry. A change whose entry cannot be stored is not made. A request
 * that is refused before its handler is called has an entry all the same.
 */
@Configuration(proxyBeanMethods = false)
@Order(Ordered.HIGHEST_PRECEDENCE)
class AuditRequests implements HandlerExceptionResolver {

    private static final String AUDITED = AuditRequests.class.getName() + ".audited";
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(15);
    private static final int READERS_MAX = 10_000;
    /** Spring Security's checks of roles have 100 and more: a refusal by them has an entry too. */
    private static final int BEFORE_ROLES = 0;

    private final Audit audit;
    private final JsonMapper json;
    /** What an operator has read lately: pages ask again every few seconds. */
    private final Cache<String, Boolean> readers = Caffeine.newBuilder()
            .maximumSize(READERS_MAX)
            .expireAfterWrite(READ_AGAIN_AFTER)
            .build();

    AuditRequests(Audit audit, JsonMapper json) {
        this.audit = audit;
        this.json = json.rebuild()
                .changeDefaultPropertyInclusion(all -> all.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
    }

    /** Puts {@link #around} around the handlers. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor audits(ObjectProvider<AuditRequests> requests) {
        StaticMethodMatcherPointcut handlers = new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> type) {
                return Route.of(AopUtils.getMostSpecificMethod(method, type), type) != null;
            }
        };
        MethodInterceptor advice = call -> {
            Class<?> type = requireNonNull(call.getThis()).getClass();
            return requests.getObject().around(call, requireNonNull(Route.of(call.getMethod(), type)));
        };
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(handlers, advice);
        advisor.setOrder(BEFORE_ROLES);
        return advisor;
    }

    private @Nullable Object around(MethodInvocation call, Route route) throws Throwable {
        Operator operator = Operator.of(SecurityContextHolder.getContext().getAuthentication());
        if (operator == null) {
            return call.proceed();
        }
        // the path of the API, also for a call by a form
        String path = route.path();
        String body = null;
        Parameter[] parameters = call.getMethod().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            path = path.replace("{" + parameters[i].getName() + "}", String.valueOf(call.getArguments()[i]));
            if (parameters[i].isAnnotationPresent(RequestBody.class)) {
                body = json.writeValueAsString(call.getArguments()[i]);
            }
        }
        String reader = operator.name() + " " + path;
        if (!route.isChange() && readers.getIfPresent(reader) != null) {
            return call.proceed();
        }
        HttpServletRequest request =
                ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
        AuditEntry begun = audit.begin(operator.name(), route.action(), path, body, RequestId.of(request));
        if (route.isChange()) {
            request.setAttribute(AUDITED, true);
        }
        Object answer;
        try {
            answer = call.proceed();
        } catch (Problem | AccessDeniedException refusal) {
            audit.end(begun, Problems.of(refusal).code().status().value(), null);
            throw refusal;
        }
        if (answer instanceof ResponseEntity<?> entity) {
            String created = Objects.toString(entity.getHeaders().getLocation(), null);
            audit.end(begun, entity.getStatusCode().value(), created);
        } else {
            ResponseStatus declared =
                    AnnotatedElementUtils.findMergedAnnotation(call.getMethod(), ResponseStatus.class);
            audit.end(begun, (declared == null ? HttpStatus.OK : declared.code()).value(), null);
        }
        if (!route.isChange()) {
            readers.put(reader, true);
        }
        return answer;
    }

    /** Notes a change that was refused before it had an entry; the answer is that of the next resolver. */
    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Route route =
                handler instanceof HandlerMethod method ? Route.of(method.getMethod(), method.getBeanType()) : null;
        if (route != null) {
            refused(
                    route,
                    request.getRequestURI(),
                    request,
                    Problems.of(failure).code().status());
        }
        return null;
    }

    @EventListener
    void refused(RefusedForm form) {
        Route route = requireNonNull(
                Route.of(form.handler().getMethod(), form.handler().getBeanType()));
        String path = route.path();
        for (Map.Entry<String, String> variable : form.variables().entrySet()) {
            path = path.replace("{" + variable.getKey() + "}", variable.getValue());
        }
        refused(route, path, form.request(), form.status());
    }

    private void refused(Route route, String path, HttpServletRequest request, HttpStatus status) {
        Operator operator = Operator.of(request.getUserPrincipal());
        if (operator != null && route.isChange() && request.getAttribute(AUDITED) == null) {
            audit.end(
                    audit.begin(operator.name(), route.action(), path, null, RequestId.of(request)),
                    status.value(),
                    null);
        }
    }

    /** A route of the operators' API that leaves entries: each change, and reads of personal data. */
    record Route(RequestMethod method, String path) {

        /** Null for a method that is no handler, and for other reads. */
        static @Nullable Route of(Method handler, Class<?> controller) {
            RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(handler, RequestMapping.class);
            if (mapping == null || !AnnotatedElementUtils.hasAnnotation(controller, RestController.class)) {
                return null;
            }
            RequestMapping all = AnnotatedElementUtils.findMergedAnnotation(controller, RequestMapping.class);
            String path = (all == null ? "" : String.join("", all.path())) + String.join("", mapping.path());
            return Stream.of(mapping.method())
                    .map(method -> new Route(method, path))
                    .filter(route -> path.startsWith("/admin/"))
                    .filter(route -> route.isChange() || handler.isAnnotationPresent(Audited.PersonalData.class))
                    .findFirst()
                    .orElse(null);
        }

        boolean isChange() {
            return method != RequestMethod.GET;
        }

        /** Such as {@code DELETE /admin/merchants/{merchantId}/keys/{keyId}}. */
        String action() {
            return method + " " + path;
        }
    }
}
