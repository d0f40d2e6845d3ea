/// Extenders over HTTP: services outside that filter and score nodes, bind pods and choose victims,
/// in the JSON form that kube-scheduler speaks.
@NullMarked
package io.berth.kube.extender;

import org.jspecify.annotations.NullMarked;
